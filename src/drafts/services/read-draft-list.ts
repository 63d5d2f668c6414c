import { readTables } from '../../storage/embedded/engine/read-tables'
import { readDraftsFromTables } from '../queries/draft-rows'
import { type DraftSort, sortDrafts } from '../rules/draft-sort'
import type { Draft } from '../schemas'

/** The answer of the operation `drafts.list`, for a start that loads nothing else. Returns null and fails as `readTables` does. */
export function readDraftList(
  { database, steps }: { database: string; steps: number },
  { folderId, sort }: { folderId?: number | undefined; sort: DraftSort },
): Promise<Draft[] | null> {
  return readTables(database, { steps, read: (tables) => sortDrafts(readDraftsFromTables(tables, { folderId }), sort) })
}
