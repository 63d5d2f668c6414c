import { temporaryFolder } from '../../temporary-folder'
import { describeIndex } from '../index-behaviour'
import { fileIndexOf } from './segments'

describeIndex('in a file', async (entities) =>
  fileIndexOf(temporaryFolder(), ...(entities.length === 0 ? [] : [entities])),
)
