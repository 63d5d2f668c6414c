import * as z from 'zod'
import { TrackerError } from './tracker-error'

/** A page of a list. `next` is the cursor of the following one; null if this is the last. */
export interface Page<Entry> {
  entries: Entry[]
  next: string | null
}

/** No list is as long. A tracker that always names another page must not keep a command reading forever. */
const MAX_PAGES_OF_ANY_LIST = 10_000

/** Reads a list page by page, at most `maxPages`; without it, throws if the list does not end. Ends if the tracker returns the same cursor again. */
export async function* readPages<Entry>(
  readPage: (cursor: string | null) => Promise<Page<Entry>>,
  maxPages = MAX_PAGES_OF_ANY_LIST,
): AsyncGenerator<Entry[], void, undefined> {
  let cursor: string | null = null
  for (let count = 1; count <= maxPages; count += 1) {
    const { entries, next } = await readPage(cursor)
    yield entries
    if (next === null || next === cursor) return
    cursor = next
  }
  if (maxPages !== MAX_PAGES_OF_ANY_LIST) return
  throw new TrackerError('tracker_answer', `The tracker's list does not end after ${maxPages} pages.`)
}

/** All entries of a list, or those of the first pages that have enough. */
export async function collect<Entry>(
  pages: AsyncIterable<readonly Entry[]>,
  enough = Number.POSITIVE_INFINITY,
): Promise<Entry[]> {
  const all: Entry[] = []
  for await (const page of pages) {
    for (const entry of page) all.push(entry)
    if (all.length >= enough) break
  }
  return all
}

/** Reads the first entries of a list, in pages of at most `largest` entries. */
export async function readFirst<Entry>(
  { limit, largest }: { limit: number; largest: number },
  readPage: (startAt: number, size: number) => Promise<{ total: number; entries: readonly Entry[] }>,
): Promise<{ total: number; entries: Entry[] }> {
  const all: Entry[] = []
  for (;;) {
    const { total, entries } = await readPage(all.length, Math.min(limit - all.length, largest))
    all.push(...entries)
    if (all.length >= Math.min(limit, total) || entries.length === 0) return { total, entries: all }
  }
}

/** Throws a TrackerError if one of the entries of a response has another shape. */
export function parseEntries<Shape extends z.ZodType>(entries: readonly unknown[], shape: Shape): z.output<Shape>[] {
  const parsed = z.array(shape).safeParse(entries)
  if (parsed.success) return parsed.data
  throw new TrackerError('tracker_answer', "The tracker's response has an entry of an unexpected shape.", {
    cause: parsed.error,
  })
}
