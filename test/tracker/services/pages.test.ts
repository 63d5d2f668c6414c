import { describe, expect, it } from 'vitest'
import { readPages } from '../../../src/tracker/services/requests/pages'

/** Reads all pages of a list whose pages are `a`, `b` and `c`. `next` gives the cursor after each. */
async function collect(next: (cursor: string | null) => string | null, maxPages?: number) {
  const cursors: (string | null)[] = []
  const entries: string[] = []
  const readPage = async (cursor: string | null) => {
    cursors.push(cursor)
    return { entries: [cursor ?? 'a'], next: next(cursor) }
  }
  for await (const page of readPages(readPage, maxPages)) entries.push(...page)
  return { cursors, entries }
}

const toThird = (cursor: string | null) => (cursor === null ? 'b' : cursor === 'b' ? 'c' : null)

describe('a list in pages', () => {
  it('is read to its last page, each with the cursor of the one before', async () => {
    expect(await collect(toThird)).toEqual({ cursors: [null, 'b', 'c'], entries: ['a', 'b', 'c'] })
  })

  it('is read to the limit of pages', async () => {
    expect((await collect(toThird, 2)).entries).toEqual(['a', 'b'])
  })

  it('is refused if it does not end, because each page names another one', async () => {
    let count = 0
    await expect(collect(() => String(count++))).rejects.toMatchObject({ code: 'tracker_answer' })
    expect(count).toBe(10_000)
  })

  it('ends if the tracker returns the same cursor again', async () => {
    expect((await collect(() => 'b')).entries).toEqual(['a', 'b'])
  })
})
