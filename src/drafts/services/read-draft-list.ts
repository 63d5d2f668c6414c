import { readWithRawSql } from '../../storage/embedded/engine/read-with-raw-sql'
import { listDraftsWithRawSql } from '../queries/draft-rows'
import { type DraftSort, sortDrafts } from '../rules/draft-sort'
import type { Draft } from '../schemas'

/** The answer of the operation `drafts.list`, for a start that loads nothing else. Returns null and fails as `readWithRawSql` does. */
export function readDraftList(
  { database, steps }: { database: string; steps: number },
  { folderId, sort }: { folderId?: number | undefined; sort: DraftSort },
): Promise<Draft[] | null> {
  const read = (run: Parameters<typeof listDraftsWithRawSql>[0]) =>
    sortDrafts(listDraftsWithRawSql(run, { folderId }), sort)
  return readWithRawSql(database, { steps, read })
}
