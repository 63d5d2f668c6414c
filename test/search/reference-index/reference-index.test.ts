import { describeIndex } from '../index-behaviour'
import { buildCorpus } from './corpus'
import { ReferenceIndex } from './reference-index'

describeIndex('in memory', async (entities) => new ReferenceIndex(await buildCorpus(entities, async () => {})))
