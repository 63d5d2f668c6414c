import { buildCorpus } from '../../../src/search/memory-index/corpus'
import { MemoryIndex } from '../../../src/search/memory-index/memory-index'
import { describeIndex } from '../index-behaviour'

describeIndex('in memory', async (entities) => new MemoryIndex(await buildCorpus(entities, async () => {})))
