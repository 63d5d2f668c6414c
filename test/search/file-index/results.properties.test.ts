import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { tokenize } from '../../../src/search/rules/tokenize'
import { anyEntities, query, WORDS } from '../any-entities'
import { searchOver } from '../sample'

describe('for any entities and any query', () => {
  let run: Awaited<ReturnType<typeof searchOver>>['run']
  beforeAll(async () => {
    run = (await searchOver(anyEntities(120))).run
  })

  it('the total does not depend on the limit, and a smaller limit returns the first results of a larger one', () => {
    return fc.assert(
      fc.asyncProperty(query, fc.integer({ min: 1, max: 200 }), async (q, limit) => {
        const all = await run(q)
        const some = await run(q, { limit })
        expect(some.total).toBe(all.total)
        expect(all.hits).toHaveLength(all.total)
        expect(some.hits).toEqual(all.hits.slice(0, limit))
      }),
    )
  })

  it('the results by type add up to all results, in the same order', () => {
    return fc.assert(
      fc.asyncProperty(
        query,
        fc.constantFrom('devops' as const, 'draft' as const, 'folder' as const),
        async (q, type) => {
          const part = (await run(q)).hits.filter((hit) => hit.type === type)
          const typed = await run(q, { type })
          expect(typed.hits.map((hit) => hit.id).sort()).toEqual(part.map((hit) => hit.id).sort())
          expect(typed.total).toBe(part.length)
        },
      ),
    )
  })

  it('results are ordered by score, then by date', () => {
    return fc.assert(
      fc.asyncProperty(query, async (q) => {
        const { hits } = await run(q)
        for (const [i, hit] of hits.slice(1).entries()) {
          const before = hits[i]!
          expect(hit.score).toBeLessThanOrEqual(before.score)
          if (hit.score === before.score) expect((hit.updatedAt ?? '') <= (before.updatedAt ?? '')).toBe(true)
        }
      }),
    )
  })

  it('highlights are within the snippet, in order and disjoint, and each contains a word of the query', () => {
    return fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }), async (words) => {
        const sought = new Set(tokenize(words.join(' ')).map(({ form }) => form))
        for (const { snippet, highlights } of (await run(`${words.join(' ')} `)).hits) {
          let last = 0
          for (const [start, end] of highlights as [number, number][]) {
            expect(start).toBeGreaterThanOrEqual(last)
            expect(end).toBeLessThanOrEqual(snippet.length)
            expect(tokenize(snippet.slice(start, end)).some(({ form }) => sought.has(form))).toBe(true)
            last = end
          }
        }
      }),
    )
  })

  it('an exclusion removes exactly the results with the word', () => {
    return fc.assert(
      fc.asyncProperty(
        fc.constantFrom('dock', 'belt', 'conveyor'),
        fc.constantFrom('yard', 'door', 'étage'),
        async (word, without) => {
          const holding = new Set((await run(`${without} `)).hits.map((hit) => hit.id))
          const expected = (await run(`${word} `)).hits.filter((hit) => !holding.has(hit.id))
          expect((await run(`${word} -${without}`)).hits.map((hit) => hit.id)).toEqual(expected.map((hit) => hit.id))
        },
      ),
    )
  })
})
