import { readTables } from '../../storage/embedded/engine/read-tables'
import { readDraftFromTables, readDraftsFromTables } from '../queries/draft-rows'
import { type DraftSort, sortDrafts } from '../rules/draft-sort'
import type { Draft } from '../schemas'

/**
 * The beginning of the answer of the operation `drafts.list`, for a start that loads nothing else, and the length of all of it. Returns
 * null and fails as `readTables` does.
 * @param withTexts whether the drafts are needed with their long texts.
 */
export function readDraftList(
  { database, steps }: { database: string; steps: number },
  {
    folderId,
    sort,
    limit = Number.POSITIVE_INFINITY,
    withTexts,
  }: { folderId?: number | undefined; sort: DraftSort; limit?: number | undefined; withTexts: boolean },
): Promise<{ drafts: Draft[]; total: number } | null> {
  return readTables(database, {
    steps,
    read(tables) {
      const readsAllTexts = withTexts && limit === Number.POSITIVE_INFINITY
      const all = sortDrafts(readDraftsFromTables(tables, { folderId, withTexts: readsAllTexts }), sort)
      const listed = all.slice(0, limit)
      const drafts = withTexts && !readsAllTexts ? listed.map(({ id }) => readDraftFromTables(tables, id)) : listed
      return { drafts, total: all.length }
    },
  })
}
