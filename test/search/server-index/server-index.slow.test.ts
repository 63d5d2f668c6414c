import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseQuery } from '../../../src/search/rules/parse-query'
import { migrations } from '../../../src/studio'
import { describeWithPostgres } from '../../storage/postgres/server'
import { anyEntities, query } from '../any-entities'
import { describeIndex } from '../index-behaviour'
import { buildCorpus } from '../reference-index/corpus'
import { ReferenceIndex } from '../reference-index/reference-index'
import { serverIndexOf } from './entities-on-server'

const type = fc.constantFrom(undefined, 'devops' as const, 'draft' as const, 'folder' as const)

describeWithPostgres('on PostgreSQL', (server) => {
  describeIndex('on a server', async (entities) => serverIndexOf(await server().openDatabase(migrations), entities))

  it('returns the same results as the in-memory index for any query over any entities', async () => {
    const entities = anyEntities(150)
    const inMemory = new ReferenceIndex(await buildCorpus(entities, async () => {}))
    const onServer = await serverIndexOf(await server().openDatabase(migrations), entities)
    await fc.assert(
      fc.asyncProperty(query, type, fc.integer({ min: 1, max: 200 }), async (text, only, limit) => {
        const parsed = parseQuery(text, null)
        const options = { type: only, limit }
        expect(await onServer.search(parsed, options)).toEqual(await inMemory.search(parsed, options))
      }),
      { numRuns: 400 },
    )
  })
})
