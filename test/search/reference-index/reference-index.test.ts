import { describeIndex } from '../index-behaviour'
import { buildCorpus } from './corpus'
import { ReferenceIndex } from './reference-index'

describeIndex(
  'that is the reference',
  async (entities) => new ReferenceIndex(await buildCorpus(entities, async () => {})),
)
