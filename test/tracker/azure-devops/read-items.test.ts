import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ItemPage, Tracker } from '../../../src/tracker'
import { isWireItem, WireItem } from '../../../src/tracker/azure-devops/wire-schemas'
import { mapConcurrentlyInOrder } from '../../../src/tracker/services/requests/map-concurrently'
import { batchOf, errorOf, link, listOf, never, openStubbed, wireItem } from './fixtures'

const range = (count: number) => Array.from({ length: count }, (_, i) => ({ id: i + 1 }))
const metadata = /workitemtypes|backlogconfiguration/

async function pagesOf(tracker: Tracker, ids: number[], known?: Parameters<Tracker['readItems']>[1]['known']) {
  const pages: ItemPage[] = []
  for await (const page of tracker.readItems(ids, { signal: never, ...(known ? { known } : {}) })) pages.push(page)
  return pages
}

describe('items page by page', () => {
  it('are returned in the order of their IDs, whichever response is first', async () => {
    const { tracker } = await openStubbed(batchOf(range(1_000)))
    const ids = range(1_000).map(({ id }) => id)
    const pages = await pagesOf(tracker, ids)
    expect(pages.map(({ items }) => items.length)).toEqual([200, 200, 200, 200, 200])
    expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(ids)
  })

  it('contain only the IDs of known items, and need no process for them', async () => {
    const answer = batchOf([{ id: 1, rev: 3 }, { id: 2, rev: 4 }, { id: 3 }])
    const { tracker, requestsTo } = await openStubbed(answer)
    const known = new Map((await tracker.getItems([1, 2, 3], { signal: never })).items.map((item) => [item.id, item]))
    const again = await openStubbed(answer)
    expect(await pagesOf(again.tracker, [1, 2, 3], known)).toEqual([{ items: [], unchanged: [1, 2, 3], missing: [] }])
    expect(requestsTo(metadata).length).toBeGreaterThan(0)
    expect(again.requestsTo(metadata)).toEqual([])
  })

  it('contain items with another revision or other links', async () => {
    const { tracker } = await openStubbed(
      batchOf([
        { id: 1, rev: 3 },
        { id: 2, rev: 4 },
      ]),
    )
    const known = new Map((await tracker.getItems([1, 2], { signal: never })).items.map((item) => [item.id, item]))
    const now = await openStubbed(
      batchOf([
        { id: 1, rev: 4 },
        { id: 2, rev: 4, relations: [link('Dependency-Reverse', 1)] },
      ]),
    )
    const [page] = await pagesOf(now.tracker, [1, 2], known)
    expect(page).toMatchObject({ items: [{ id: 1 }, { id: 2 }], unchanged: [] })
  })

  it('distinguish an invalid response from a missing item', async () => {
    const { tracker } = await openStubbed(({ path }) =>
      path === '/_apis/wit/workitemsbatch' ? { json: listOf([{ id: 1 }, wireItem({ id: 2 }), null]) } : null,
    )
    const [page] = await pagesOf(tracker, [1, 2, 3])
    expect(page!.missing).toEqual([
      { id: 1, reason: expect.stringContaining('expected shape'), isMalformed: true },
      { id: 3, reason: expect.stringContaining('does not exist') },
    ])
  })

  it('contain no U+0000, which some databases reject', async () => {
    const fields = { 'System.Title': 'a\u0000b', 'System.Description': '\u0000<p>x</p>', 'Shop.Note': 'c\\u0000d' }
    const { tracker } = await openStubbed(batchOf([{ id: 1, fields }]))
    const [page] = await pagesOf(tracker, [1])
    const [item] = page!.items
    expect(item).toMatchObject({ title: 'ab', description: { text: '<p>x</p>' } })
    expect(item!.fields['Shop.Note']).toBe('c\\u0000d')
    expect(JSON.stringify(item).replaceAll('\\\\u0000', '')).not.toContain('\\u0000')
  })
})

describe('the shape of an item', () => {
  it('takes one request with its links', async () => {
    const relations = [link('Hierarchy-Reverse', 9)]
    const { tracker, requests } = await openStubbed(({ path }) =>
      path === '/_apis/wit/workitems/12' ? { json: wireItem({ id: 12, rev: 5, relations }) } : null,
    )
    const shape = await tracker.getShape(12, never)
    expect(requests).toHaveLength(1)
    expect(shape.rev).toBe(5)
    const { relationsFingerprint } = await tracker.getItem(12, never)
    expect(shape.relationsFingerprint).toBe(relationsFingerprint)
  })
})

describe('concurrent work with results in order', () => {
  it('is limited in how far it runs ahead', async () => {
    let [underWay, most] = [0, 0]
    const work = async (input: number) => {
      most = Math.max(most, ++underWay)
      await Promise.resolve()
      underWay -= 1
      return input * 2
    }
    const results: number[] = []
    for await (const result of mapConcurrentlyInOrder([1, 2, 3, 4, 5], { limit: 2, signal: never }, work))
      results.push(result)
    expect(results).toEqual([2, 4, 6, 8, 10])
    expect(most).toBeLessThanOrEqual(2)
  })

  it('is aborted when the consumer stops', async () => {
    const signals: AbortSignal[] = []
    const work = async (input: number, signal: AbortSignal) => {
      signals.push(signal)
      return input
    }
    for await (const first of mapConcurrentlyInOrder([1, 2, 3], { limit: 2, signal: never }, work)) {
      expect(first).toBe(1)
      break
    }
    expect(signals.every((signal) => signal.aborted)).toBe(true)
    expect(signals.length).toBeLessThanOrEqual(3)
  })

  it('fails in order, after the earlier results', async () => {
    const results: number[] = []
    const work = async (input: number) => {
      if (input === 2) throw new Error('second')
      return input
    }
    const failure = await errorOf(
      (async () => {
        for await (const result of mapConcurrentlyInOrder([1, 2, 3], { limit: 3, signal: never }, work))
          results.push(result)
      })(),
    )
    expect([results, failure.message]).toEqual([[1], 'second'])
  })
})

describe('the fast check of a wire item', () => {
  it('accepts exactly what the schema accepts', () => {
    const invalid = fc.oneof(
      fc.integer(),
      fc.double(),
      fc.string(),
      fc.constant(null),
      fc.constant(undefined),
      fc.constant([]),
    )
    const relation = fc.oneof(invalid, fc.record({ rel: fc.oneof(fc.string(), invalid), url: fc.string() }))
    const entry = fc.oneof(
      invalid,
      fc.record(
        {
          id: fc.oneof(fc.integer(), invalid),
          rev: fc.oneof(fc.integer(), invalid),
          fields: fc.oneof(fc.dictionary(fc.string(), invalid), invalid),
          relations: fc.oneof(fc.array(relation), invalid),
          multilineFieldsFormat: fc.oneof(fc.dictionary(fc.string(), fc.string()), invalid),
        },
        { requiredKeys: [] },
      ),
    )
    fc.assert(
      fc.property(entry, (one) => {
        expect(isWireItem(one)).toBe(WireItem.safeParse(one).success)
      }),
      { numRuns: 2_000 },
    )
  })
})
