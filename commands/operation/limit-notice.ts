import { pluralize } from '../../src/kernel/text/text'

/** The most entries that `--limit` shows, as over HTTP; without the flag a list is whole. */
export const MAX_ENTRIES = 200

/** The notice that entries were left out; null if none were. */
export function limitNotice(limit: number | undefined, total: number): string | null {
  if (limit === undefined || limit >= total) return null
  return `Showing ${limit} of ${pluralize(total, 'entry', 'entries')}.`
}
