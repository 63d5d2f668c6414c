import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FileIndex } from '../../../src/search/file-index/file-index'
import { parseQuery } from '../../../src/search/rules/parse-query'
import { temporaryFolder } from '../../temporary-folder'
import { anyEntities, query } from '../any-entities'
import { buildCorpus } from '../reference-index/corpus'
import { ReferenceIndex } from '../reference-index/reference-index'
import { fileIndexOf, part, segmentOf } from './segments'

const type = fc.constantFrom(undefined, 'devops' as const, 'draft' as const, 'folder' as const)

describe('an index in a file', () => {
  it('returns the same results as the reference for any query over any entities', async () => {
    const entities = anyEntities(150)
    const inMemory = new ReferenceIndex(await buildCorpus(entities, async () => {}))
    const inFile = fileIndexOf(temporaryFolder(), entities)
    await fc.assert(
      fc.asyncProperty(query, type, fc.integer({ min: 1, max: 200 }), async (text, only, limit) => {
        const parsed = parseQuery(text, null)
        expect(await inFile.search(parsed, { type: only, limit })).toEqual(
          await inMemory.search(parsed, { type: only, limit }),
        )
      }),
      { numRuns: 400 },
    )
  })

  it('returns the same results from several segments as from one', async () => {
    const entities = anyEntities(120)
    const folder = temporaryFolder()
    const one = fileIndexOf(folder, entities)
    const several = fileIndexOf(temporaryFolder(), entities.slice(0, 70), entities.slice(70, 73), entities.slice(73))
    const idsOf = async (index: typeof one, text: string) => {
      const { total, hits } = await index.search(parseQuery(text, null), { limit: 200 })
      return { total, ids: hits.map(({ id }) => id).sort() }
    }
    await fc.assert(
      fc.asyncProperty(query, async (text) => {
        expect(await idsOf(several, text)).toEqual(await idsOf(one, text))
      }),
    )
  })

  it('returns the previous results without the deleted entities', async () => {
    const folder = temporaryFolder()
    const entities = anyEntities(120)
    const segments = [entities.slice(0, 70), entities.slice(70)].map((lot, i) => segmentOf(folder, `lot-${i}`, lot))
    const all = new FileIndex(segments.map((segment) => part(segment)))
    const idsOf = async (index: FileIndex, text: string) => {
      const { total, hits } = await index.search(parseQuery(text, null), { limit: 200 })
      expect(total).toBe(hits.length)
      return hits.map(({ type, id }) => `${type} ${id}`).sort()
    }
    await fc.assert(
      fc.asyncProperty(query, fc.uniqueArray(fc.nat(49), { maxLength: 50 }), async (text, deleted) => {
        const gone = segments.flatMap((segment) => deleted.map((document) => segment.record(document)))
        const refs = new Set(gone.map(({ type, id }) => `${type} ${id}`))
        const left = new FileIndex(segments.map((segment) => part(segment, deleted)))
        expect(await idsOf(left, text)).toEqual((await idsOf(all, text)).filter((ref) => !refs.has(ref)))
      }),
    )
  })
})
