import { chunksOf } from '../../kernel/chunks'
import type { ReadTx } from '../../storage'
import type { LongText, StateCategory } from '../../tracker'
import type { WorkItemTable } from '../migrations'
import { findBlockers, type Predecessor } from '../rules/blockers'
import type { CachedItem } from '../rules/cached-item'
import { findFileSources } from './file-imports'
import { itemTables, MAX_IDS_PER_STATEMENT } from './item-tables'

/** All cached items, by id, each with its blockers as the cache knows them now. */
export async function listCachedItems(tx: ReadTx): Promise<CachedItem[]> {
  const rows = await itemTables(tx).selectFrom('work_item').selectAll().orderBy('id').execute()
  return toCachedItems(tx, rows, new Map(rows.map((row) => [row.id, row])))
}

export async function findCachedItem(tx: ReadTx, id: number): Promise<CachedItem | null> {
  return (await findCachedItems(tx, [id]))[0] ?? null
}

/** Those of `ids` that are cached, in the order of their ids. */
export async function findCachedItems(tx: ReadTx, ids: readonly number[]): Promise<CachedItem[]> {
  const rows = await findRows(tx, ids)
  const known = new Map(rows.map((row) => [row.id, row]))
  const outside = rows.flatMap((row) => parsePredecessors(row).map((p) => p.id)).filter((id) => !known.has(id))
  for (const row of await findRows(tx, outside)) known.set(row.id, row)
  return toCachedItems(tx, rows, known)
}

async function findRows(tx: ReadTx, ids: readonly number[]): Promise<WorkItemTable[]> {
  const rows: WorkItemTable[] = []
  for (const part of chunksOf(ids, MAX_IDS_PER_STATEMENT)) {
    const found = itemTables(tx).selectFrom('work_item').selectAll().where('id', 'in', part).orderBy('id')
    rows.push(...(await found.execute()))
  }
  return rows
}

/** A predecessor that is cached itself is known better than it was when its successor was fetched. */
async function toCachedItems(
  tx: ReadTx,
  rows: readonly WorkItemTable[],
  known: ReadonlyMap<number, WorkItemTable>,
): Promise<CachedItem[]> {
  const sources = await findFileSources(
    tx,
    rows.map((row) => row.file_import_id),
  )
  return rows.map((row) => {
    const predecessors = parsePredecessors(row).map((seen) => {
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
      blocked: findBlockers({ stateCategory, tags, blockedField: row.blocked_field === 1, predecessors }),
      url: row.url,
      changedAt: row.changed_at,
      relationsFingerprint: row.relations_fingerprint,
      remoteRev: row.remote_rev,
      fetchedAt: row.fetched_at,
      fromFile: sources.get(row.file_import_id) ?? null,
    }
  })
}

function parsePredecessors(row: WorkItemTable): Predecessor[] {
  return JSON.parse(row.predecessors) as Predecessor[]
}

function categoryOf(row: WorkItemTable): StateCategory | null {
  return row.state_category as StateCategory | null
}

function longText(text: string | null, format: string | null): LongText | null {
  return text === null ? null : { text, format: format === 'markdown' ? 'markdown' : 'html' }
}

/** What tells whether a fetched item is news, of each of `ids` that is cached. */
export interface CachedRevision {
  rev: number
  relationsFingerprint: string
  /** As they are kept: JSON. */
  predecessors: string
  fetchedAt: string
  /** A file told it, not the tracker. */
  isFromFile: boolean
  /** What the process says of it, and where it lies: both can change without a revision. */
  unversioned: UnversionedFields
}

export type UnversionedFields = Pick<
  CachedItem,
  'level' | 'stateCategory' | 'areaPath' | 'iterationPath' | 'storyPoints'
>

export async function findCachedRevisions(tx: ReadTx, ids: readonly number[]): Promise<Map<number, CachedRevision>> {
  const revisions = new Map<number, CachedRevision>()
  for (const part of chunksOf(ids, MAX_IDS_PER_STATEMENT)) {
    const rows = await itemTables(tx)
      .selectFrom('work_item')
      .select(['id', 'rev', 'relations_fingerprint', 'predecessors', 'fetched_at', 'file_import_id'])
      .select(['level', 'state_category', 'area_path', 'iteration_path', 'story_points'])
      .where('id', 'in', part)
      .execute()
    for (const row of rows) {
      revisions.set(row.id, {
        rev: row.rev,
        relationsFingerprint: row.relations_fingerprint,
        predecessors: row.predecessors,
        fetchedAt: row.fetched_at,
        isFromFile: row.file_import_id !== null,
        unversioned: {
          level: row.level,
          stateCategory: row.state_category as StateCategory | null,
          areaPath: row.area_path,
          iterationPath: row.iteration_path,
          storyPoints: row.story_points,
        },
      })
    }
  }
  return revisions
}
