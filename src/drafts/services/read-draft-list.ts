import { readWithRawSql } from '../../storage/read-with-raw-sql'
import { listDraftsOnce } from '../queries/drafts-once'
import { type DraftSort, sortDrafts } from '../rules/draft-sort'
import type { Draft } from '../schemas'

/** What the operation `drafts.list` answers, for a process that does nothing else. Null and failures as of `readWithRawSql`. */
export function draftsFromFiles(
  { database, steps }: { database: string; steps: number },
  { folderId, sort }: { folderId?: number | undefined; sort: DraftSort },
): Promise<Draft[] | null> {
  const read = (run: Parameters<typeof listDraftsOnce>[0]) => sortDrafts(listDraftsOnce(run, { folderId }), sort)
  return readWithRawSql(database, { steps, read })
}
