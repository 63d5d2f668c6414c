import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { type ListOrder, operation, pageOf } from '../../src/kernel'

interface Entry {
  id: number
  /** What the list is ordered by; it never changes. */
  rank: number
  /** Which of one rank comes first; it may change at any time. */
  seat: number
}

const listOf = (listOrder: () => ListOrder<Entry>, id = 'seats.list') =>
  operation({
    id,
    summary: 'List the seats',
    effect: 'read',
    access: 'public',
    input: z.strictObject({}),
    output: z.array(z.object({ id: z.int(), rank: z.int(), seat: z.int() })),
    errors: [],
    listOrder,
    run: async () => [],
  })

const byRank = listOf(() => ({ id: ({ id }) => id, key: ({ rank }) => [rank] }))
const page = (op: typeof byRank, list: readonly Entry[], limit: number | null, cursor: string | null) =>
  pageOf({ op, input: {}, source: 'the last answer gave' }, list, { limit, cursor })

const entry = fc.record({ rank: fc.integer({ min: 0, max: 3 }), seat: fc.integer({ min: 0, max: 20 }) })
/** What happens between two pages: entries leave, entries come, and those of one rank change their seats. */
const change = fc.record({
  leave: fc.array(fc.nat(30)),
  come: fc.array(entry, { maxLength: 4 }),
  seats: fc.array(fc.tuple(fc.nat(30), fc.integer({ min: 0, max: 20 }))),
})

describe('a list in pages', () => {
  it('never skips or repeats a remaining entry, whatever changes between two pages', () => {
    fc.assert(
      fc.property(
        fc.array(entry, { maxLength: 20 }),
        fc.array(change, { maxLength: 8 }),
        fc.integer({ min: 1, max: 5 }),
        (start, changes, limit) => {
          let entries: Entry[] = start.map((fields, id) => ({ id, ...fields }))
          const stayed = new Set(entries.map(({ id }) => id))
          const pending = [...changes]
          const given: number[] = []
          let cursor: string | null = null
          do {
            const sorted = [...entries].sort((a, b) => a.rank - b.rank || a.seat - b.seat || a.id - b.id)
            const { entries: part, nextCursor } = page(byRank, sorted, limit, cursor)
            given.push(...(part as Entry[]).map(({ id }) => id))
            cursor = nextCursor
            const { leave = [], come = [], seats = [] } = pending.shift() ?? {}
            for (const id of leave) stayed.delete(id)
            const seatOf = new Map(seats)
            entries = entries
              .filter(({ id }) => !leave.includes(id))
              .map((one) => ({ ...one, seat: seatOf.get(one.id) ?? one.seat }))
            const next = 1000 + given.length + 100 * pending.length
            entries.push(...come.map((fields, index) => ({ id: next + index, ...fields })))
          } while (cursor !== null)
          expect(new Set(given).size).toBe(given.length)
          for (const id of stayed) expect(given).toContain(id)
        },
      ),
    )
  })

  it('gives the whole list in its order, each page but the last full', () => {
    fc.assert(
      fc.property(fc.array(entry), fc.integer({ min: 1, max: 7 }), (start, limit) => {
        const list = start.map((fields, id) => ({ id, ...fields })).sort((a, b) => a.rank - b.rank || a.id - b.id)
        const pages = [page(byRank, list, limit, null)]
        while (pages.at(-1)!.nextCursor !== null) pages.push(page(byRank, list, limit, pages.at(-1)!.nextCursor))
        expect(pages.flatMap(({ entries }) => entries)).toEqual(list)
        for (const full of pages.slice(0, -1)) expect(full.entries).toHaveLength(limit)
        expect(pages[0]!.total).toBe(list.length)
      }),
    )
  })

  it('has cursors that fit into a URL if a thousand entries share a key', () => {
    const list = Array.from({ length: 1001 }, (_, id) => ({ id, rank: 1, seat: id }))
    expect(page(byRank, list, 1000, null).nextCursor!.length).toBeLessThan(20_000)
  })

  it.each([
    ['page-2', 'must be a cursor that the last answer gave, unchanged'],
    [Buffer.from('["seats.list",[{}],[]]').toString('base64url'), 'must be a cursor that the last answer gave'],
    [Buffer.from('["tokens.list",[1],[]]').toString('base64url'), 'belongs to another list'],
  ])('refuses the cursor %s', (cursor, message) => {
    expect(() => page(byRank, [], 2, cursor)).toThrow(expect.objectContaining({ code: 'invalid' }))
    expect(() => page(byRank, [], 2, cursor)).toThrow(message)
  })

  it('refuses the cursor of another order of the same list', () => {
    const ordered = (name: string) => listOf(() => ({ name, id: ({ id }) => id, key: ({ rank }) => [rank] }))
    const list = [1, 2, 3].map((id) => ({ id, rank: id, seat: 1 }))
    const { nextCursor } = page(ordered('up'), list, 1, null)
    expect(() => page(ordered('down'), list, 1, nextCursor)).toThrow('belongs to another list, or to another order')
    expect(page(ordered('up'), list, null, nextCursor).entries).toEqual(list.slice(1))
  })
})
