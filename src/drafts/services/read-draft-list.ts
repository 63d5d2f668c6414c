import { readWithRawSql } from '../../storage/read-with-raw-sql'
import { readDraftsWithRawSql } from '../queries/drafts-once'
import { type DraftSort, sortDrafts } from '../rules/draft-sort'
import type { Draft } from '../schemas'

/** What the operation `drafts.list` answers, for a process that does nothing else. Null and failures as of `readWithRawSql`. */
export function readDraftList(
  { database, steps }: { database: string; steps: number },
  { folderId, sort }: { folderId?: number | undefined; sort: DraftSort },
): Promise<Draft[] | null> {
  const read = (run: Parameters<typeof readDraftsWithRawSql>[0]) =>
    sortDrafts(readDraftsWithRawSql(run, { folderId }), sort)
  return readWithRawSql(database, { steps, read })
}
