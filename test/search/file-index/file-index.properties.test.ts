import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FileIndex } from '../../../src/search/file-index/file-index'
import { buildCorpus } from '../../../src/search/memory-index/corpus'
import { MemoryIndex } from '../../../src/search/memory-index/memory-index'
import { parseQuery } from '../../../src/search/rules/parse-query'
import { temporaryFolder } from '../../temporary-folder'
import { anyEntities, query } from '../any-entities'
import { fileIndexOf, part, segmentOf } from './segments'

const type = fc.constantFrom(undefined, 'devops' as const, 'draft' as const, 'folder' as const)

describe('an index in a file', () => {
  it('returns the same results as the in-memory index for any query over any entities', async () => {
    const entities = anyEntities(150)
    const inMemory = new MemoryIndex(await buildCorpus(entities, async () => {}))
    const inFile = fileIndexOf(temporaryFolder(), entities)
    fc.assert(
      fc.property(query, type, fc.integer({ min: 1, max: 200 }), (text, only, limit) => {
        const parsed = parseQuery(text, null)
        expect(inFile.search(parsed, { type: only, limit })).toEqual(inMemory.search(parsed, { type: only, limit }))
      }),
      { numRuns: 400 },
    )
  })

  it('returns the same results from several segments as from one', () => {
    const entities = anyEntities(120)
    const folder = temporaryFolder()
    const one = fileIndexOf(folder, entities)
    const several = fileIndexOf(temporaryFolder(), entities.slice(0, 70), entities.slice(70, 73), entities.slice(73))
    const idsOf = (index: typeof one, text: string) => {
      const { total, hits } = index.search(parseQuery(text, null), { limit: 200 })
      return { total, ids: hits.map(({ id }) => id).sort() }
    }
    fc.assert(
      fc.property(query, (text) => {
        expect(idsOf(several, text)).toEqual(idsOf(one, text))
      }),
    )
  })

  it('returns the previous results without the deleted entities', () => {
    const folder = temporaryFolder()
    const entities = anyEntities(120)
    const segments = [entities.slice(0, 70), entities.slice(70)].map((lot, i) => segmentOf(folder, `lot-${i}`, lot))
    const all = new FileIndex(segments.map((segment) => part(segment)))
    const idsOf = (index: FileIndex, text: string) => {
      const { total, hits } = index.search(parseQuery(text, null), { limit: 200 })
      expect(total).toBe(hits.length)
      return hits.map(({ type, id }) => `${type} ${id}`).sort()
    }
    fc.assert(
      fc.property(query, fc.uniqueArray(fc.nat(49), { maxLength: 50 }), (text, deleted) => {
        const gone = segments.flatMap((segment) => deleted.map((document) => segment.record(document)))
        const refs = new Set(gone.map(({ type, id }) => `${type} ${id}`))
        const left = new FileIndex(segments.map((segment) => part(segment, deleted)))
        expect(idsOf(left, text)).toEqual(idsOf(all, text).filter((ref) => !refs.has(ref)))
      }),
    )
  })
})
