import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Entity } from '../../src/search/entity'
import { tokenize } from '../../src/search/rules/tokenize'
import { entity, searchOver } from './sample'

const WORDS = [
  'dock',
  'Door',
  'dockDoor',
  'conveyor',
  'belt',
  'yard',
  'the',
  'of',
  'étage',
  '日本語',
  'night-shift',
  '42',
]
const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 40 }).map((words) => words.join(' '))
const anyEntity = fc.record({
  type: fc.constantFrom('devops' as const, 'draft' as const, 'folder' as const),
  title: text,
  description: text,
  criteria: text,
  tags: fc.array(fc.constantFrom('dock', 'night shift'), { maxLength: 2 }),
  state: fc.constantFrom('New', 'Active', null),
  updatedAt: fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z', null),
})
const term = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.constantFrom(
    '"dock door"',
    '-yard',
    '-"the dock"',
    'state:Active',
    '-state:New',
    'tag:dock',
    'in:title',
    'convyeor',
    'do',
  ),
)
const query = fc.array(term, { minLength: 1, maxLength: 4 }).map((terms) => terms.join(' '))

describe('over any entities, and for any query,', () => {
  let entities: Entity[]
  let run: Awaited<ReturnType<typeof searchOver>>['run']
  beforeAll(async () => {
    entities = fc
      .sample(anyEntity, { numRuns: 120, seed: 42 })
      .map(({ title, ...more }, i) => entity(1000 + i, title, more))
    run = (await searchOver(entities)).run
  })

  it('the total does not depend on the limit, and a smaller limit gives the beginning of what a greater one gives', () => {
    fc.assert(
      fc.property(query, fc.integer({ min: 1, max: 200 }), (q, limit) => {
        const all = run(q)
        const some = run(q, { limit })
        expect(some.total).toBe(all.total)
        expect(all.hits).toHaveLength(all.total)
        expect(some.hits).toEqual(all.hits.slice(0, limit))
      }),
    )
  })

  it('the types add up to the whole, and a type gives its part of it in the same order', () => {
    fc.assert(
      fc.property(query, fc.constantFrom('devops' as const, 'draft' as const, 'folder' as const), (q, type) => {
        const part = run(q).hits.filter((hit) => hit.type === type)
        const typed = run(q, { type })
        expect(typed.hits.map((hit) => hit.id).sort()).toEqual(part.map((hit) => hit.id).sort())
        expect(typed.total).toBe(part.length)
      }),
    )
  })

  it('results are in the order of their scores, then of their dates', () => {
    fc.assert(
      fc.property(query, (q) => {
        const { hits } = run(q)
        for (const [i, hit] of hits.slice(1).entries()) {
          const before = hits[i]!
          expect(hit.score).toBeLessThanOrEqual(before.score)
          if (hit.score === before.score) expect((hit.updatedAt ?? '') <= (before.updatedAt ?? '')).toBe(true)
        }
      }),
    )
  })

  it('highlights lie in the snippet, in order and apart, and each holds a word of the query', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }), (words) => {
        const sought = new Set(tokenize(words.join(' ')).map(({ form }) => form))
        for (const { snippet, highlights } of run(`${words.join(' ')} `).hits) {
          let last = 0
          for (const [start, end] of highlights) {
            expect(start).toBeGreaterThanOrEqual(last)
            expect(end).toBeLessThanOrEqual(snippet.length)
            expect(tokenize(snippet.slice(start, end)).some(({ form }) => sought.has(form))).toBe(true)
            last = end
          }
        }
      }),
    )
  })

  it('an exclusion leaves exactly what the query found without the word', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('dock', 'belt', 'conveyor'),
        fc.constantFrom('yard', 'door', 'étage'),
        (word, without) => {
          const holding = new Set(run(`${without} `).hits.map((hit) => hit.id))
          const expected = run(`${word} `).hits.filter((hit) => !holding.has(hit.id))
          expect(run(`${word} -${without}`).hits.map((hit) => hit.id)).toEqual(expected.map((hit) => hit.id))
        },
      ),
    )
  })
})
