import type { ReadTx } from '../../storage'
import type { LongText, StateCategory } from '../../tracker'
import { blockersOf, type Predecessor } from '../rules/blocked'
import type { CachedItem } from '../rules/work-item'
import type { WorkItemTable } from '../tables'
import { workspaceTables } from './version'

/** All cached items, by id, each with its blockers as the cache knows them now. */
export async function listCachedItems(tx: ReadTx): Promise<CachedItem[]> {
  const rows = await workspaceTables(tx).selectFrom('work_item').selectAll().orderBy('id').execute()
  return withBlockers(rows, new Map(rows.map((row) => [row.id, row])))
}

export async function findCachedItem(tx: ReadTx, id: number): Promise<CachedItem | null> {
  return (await findCachedItems(tx, [id]))[0] ?? null
}

/** Those of `ids` that are cached, in the order of their ids. */
export async function findCachedItems(tx: ReadTx, ids: readonly number[]): Promise<CachedItem[]> {
  const rows = await rowsOf(tx, ids)
  const known = new Map(rows.map((row) => [row.id, row]))
  const outside = rows.flatMap((row) => predecessorsOf(row).map((p) => p.id)).filter((id) => !known.has(id))
  for (const row of await rowsOf(tx, outside)) known.set(row.id, row)
  return withBlockers(rows, known)
}

/** An engine takes only so many parameters in one statement. */
const IDS_A_STATEMENT = 500

async function rowsOf(tx: ReadTx, ids: readonly number[]): Promise<WorkItemTable[]> {
  const rows: WorkItemTable[] = []
  for (let start = 0; start < ids.length; start += IDS_A_STATEMENT) {
    const part = ids.slice(start, start + IDS_A_STATEMENT)
    rows.push(
      ...(await workspaceTables(tx)
        .selectFrom('work_item')
        .selectAll()
        .where('id', 'in', part)
        .orderBy('id')
        .execute()),
    )
  }
  return rows
}

/** A predecessor that is cached itself is known better than it was when its successor was fetched. */
function withBlockers(rows: readonly WorkItemTable[], known: ReadonlyMap<number, WorkItemTable>): CachedItem[] {
  return rows.map((row) => {
    const predecessors = predecessorsOf(row).map((seen) => {
      const cached = known.get(seen.id)
      return cached ? { id: seen.id, title: cached.title, stateCategory: categoryOf(cached) } : seen
    })
    const tags = JSON.parse(row.tags) as string[]
    const stateCategory = categoryOf(row)
    return {
      id: row.id,
      rev: row.rev,
      type: row.type,
      level: row.level,
      title: row.title,
      state: row.state,
      stateCategory,
      assignedTo:
        row.assigned_name === null ? null : { displayName: row.assigned_name, uniqueName: row.assigned_account },
      areaPath: row.area_path,
      iterationPath: row.iteration_path,
      tags,
      storyPoints: row.story_points,
      priority: row.priority,
      parentId: row.parent_id,
      predecessors,
      description: longText(row.description, row.description_format),
      acceptanceCriteria: longText(row.acceptance_criteria, row.acceptance_format),
      blocked: blockersOf({ stateCategory, tags, blockedField: row.blocked_field === 1, predecessors }),
      url: row.url,
      changedAt: row.changed_at,
      relationsFingerprint: row.relations_fingerprint,
      remoteRev: row.remote_rev,
      fetchedAt: row.fetched_at,
    }
  })
}

function predecessorsOf(row: WorkItemTable): Predecessor[] {
  return JSON.parse(row.predecessors) as Predecessor[]
}

function categoryOf(row: WorkItemTable): StateCategory | null {
  return row.state_category as StateCategory | null
}

function longText(text: string | null, format: string | null): LongText | null {
  return text === null ? null : { text, format: format === 'markdown' ? 'markdown' : 'html' }
}

/** Revision and relations of each of `ids` that is cached: what tells whether a fetched item is news. */
export async function cachedRevisions(
  tx: ReadTx,
  ids: readonly number[],
): Promise<Map<number, { rev: number; relationsFingerprint: string; predecessors: string }>> {
  const rows = await rowsOf(tx, ids)
  return new Map(
    rows.map((row) => [
      row.id,
      { rev: row.rev, relationsFingerprint: row.relations_fingerprint, predecessors: row.predecessors },
    ]),
  )
}
