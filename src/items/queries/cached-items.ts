import { getTrackerName } from '../../kernel/text/item-reference'
import type { ReadTx } from '../../storage'
import type { StateCategory } from '../../tracker'
import { findBlockers, type Predecessor } from '../rules/blockers'
import type { CachedItem } from '../rules/cached-item'
import { showReference } from '../rules/item-reference'
import type { FileSource } from '../schemas'
import type { WorkItemTable } from '../tables/work-item-tables'
import { findFileSources } from './file-imports'
import { findItemIds } from './filtered-items'
import { findItemNames, type NameOf } from './item-names'
import { idChunks, isOneOf, itemTables, toLongText, toPerson } from './item-tables'
import { readConfirmations } from './sync-state'

/** All cached items, ordered by ID. Blockers reflect the current state of cached predecessors. */
export async function listCachedItems(tx: ReadTx): Promise<CachedItem[]> {
  return findCachedItems(tx, await findItemIds(tx, []))
}

export async function findCachedItem(tx: ReadTx, id: number): Promise<CachedItem | null> {
  return (await findCachedItems(tx, [id]))[0] ?? null
}

/** The cached items among `ids`, ordered by ID. */
export async function findCachedItems(tx: ReadTx, ids: readonly number[]): Promise<CachedItem[]> {
  const items: CachedItem[] = []
  for await (const chunk of idChunks(tx, ids)) {
    const rows = await itemTables(tx)
      .selectFrom('work_item')
      .selectAll()
      .where(isOneOf(tx, 'id', chunk))
      .orderBy('id')
      .execute()
    const neighbors = await findNeighbors(tx, rows)
    for (const row of rows) items.push(toCachedItem(row, neighbors))
  }
  return items
}

/** Each assignee of the workspace, with one of their items. */
export async function listAssignees(tx: ReadTx): Promise<{ name: string; account: string | null; itemId: number }[]> {
  const rows = await itemTables(tx)
    .selectFrom('work_item')
    .select((eb) => ['assigned_name', 'assigned_account', eb.fn.max('id').as('item_id')])
    .where('assigned_name', 'is not', null)
    .groupBy(['assigned_name', 'assigned_account'])
    .execute()
  return rows.map((row) => ({ name: row.assigned_name!, account: row.assigned_account, itemId: Number(row.item_id) }))
}

/** The cached items directly below an item, by ID. */
export async function listChildren(
  tx: ReadTx,
  id: number,
): Promise<{ id: number; reference: string; title: string; state: string; stateCategory: StateCategory | null }[]> {
  const rows = await itemTables(tx)
    .selectFrom('work_item')
    .select(['id', 'reference', 'title', 'state', 'state_category'])
    .where('parent_id', '=', id)
    .orderBy('id')
    .execute()
  return rows.map(({ id, reference, title, state, ...row }) => ({
    ...{ id, title, state, reference: showReference(id, reference) },
    stateCategory: getCategory(row),
  }))
}

type Dependency = Predecessor & { reference: string }

/** What an item waits for, and the cached items that wait for it, by ID. */
export async function findDependencies(
  tx: ReadTx,
  { id, predecessors }: Pick<CachedItem, 'id' | 'predecessors'>,
): Promise<{ predecessors: Dependency[]; successors: Dependency[] }> {
  const rows = await itemTables(tx)
    .selectFrom('work_item')
    .select(['id', 'reference', 'title', 'state_category', 'predecessors'])
    .where('predecessors', 'like', `%${id}%`)
    .orderBy('id')
    .execute()
  const nameOf = await findItemNames(
    tx,
    predecessors.map((one) => one.id),
  )
  return {
    predecessors: predecessors.map((one) => ({ ...one, reference: nameOf(one.id) })),
    successors: rows
      .filter((row) => parsePredecessors(row).some((one) => one.id === id))
      .map((row) => ({
        id: row.id,
        reference: showReference(row.id, row.reference),
        title: row.title,
        stateCategory: getCategory(row),
      })),
  }
}

/** What the rows of items do not have. */
interface Neighbors {
  sources: Map<number | null, FileSource>
  /** The cached predecessors, which are newer than what their successors know of them. */
  predecessors: Map<number, Predecessor>
  nameOf: NameOf
  confirmedAt: Awaited<ReturnType<typeof readConfirmations>>
}

async function findNeighbors(tx: ReadTx, rows: readonly WorkItemTable[]): Promise<Neighbors> {
  const ids = [...new Set(rows.flatMap((row) => parsePredecessors(row).map(({ id }) => id)))]
  const predecessors = new Map<number, Predecessor>()
  for await (const chunk of idChunks(tx, ids)) {
    const found = await itemTables(tx)
      .selectFrom('work_item')
      .select(['id', 'title', 'state_category'])
      .where(isOneOf(tx, 'id', chunk))
      .execute()
    for (const row of found) predecessors.set(row.id, { id: row.id, title: row.title, stateCategory: getCategory(row) })
  }
  return {
    sources: await findFileSources(tx, rows),
    predecessors,
    nameOf: await findItemNames(tx, ids),
    confirmedAt: await readConfirmations(
      tx,
      rows.map(({ id }) => id),
    ),
  }
}

function toCachedItem(
  row: WorkItemTable,
  { sources, predecessors: known, nameOf, confirmedAt }: Neighbors,
): CachedItem {
  const predecessors = parsePredecessors(row).map((seen) => known.get(seen.id) ?? seen)
  const named = predecessors.map((one) => ({ ...one, reference: nameOf(one.id) }))
  const tags = JSON.parse(row.tags) as string[]
  const stateCategory = getCategory(row)
  return {
    id: row.id,
    tracker: getTrackerName(row.reference),
    reference: showReference(row.id, row.reference),
    rev: row.rev,
    type: row.type,
    level: row.level,
    title: row.title,
    state: row.state,
    stateCategory,
    assignedTo: toPerson(row),
    areaPath: row.area_path,
    iterationPath: row.iteration_path,
    tags,
    storyPoints: row.story_points,
    priority: row.priority,
    parentId: row.parent_id,
    predecessors,
    description: toLongText(row.description, row.description_format),
    acceptanceCriteria: toLongText(row.acceptance_criteria, row.acceptance_format),
    blocked: findBlockers({ stateCategory, tags, blockedField: row.blocked_field === 1, predecessors: named }),
    url: row.url,
    changedAt: row.changed_at,
    relationsFingerprint: row.relations_fingerprint,
    remoteRev: row.remote_rev,
    fetchedAt: confirmedAt(row),
    fromFile: sources.get(row.file_import_id) ?? null,
  }
}

function parsePredecessors(row: Pick<WorkItemTable, 'predecessors'>): Predecessor[] {
  return JSON.parse(row.predecessors) as Predecessor[]
}

function getCategory(row: Pick<WorkItemTable, 'state_category'>): StateCategory | null {
  return row.state_category as StateCategory | null
}

/** The stored values that decide whether a fetched item is news. */
export interface CachedRevision {
  rev: number
  relationsFingerprint: string
  /** JSON, as stored. */
  predecessors: string
  fetchedAt: string
  isFromFile: boolean
  /** Renaming an area or changing the process changes these without a new revision. */
  unversioned: UnversionedFields
}

export type UnversionedFields = Pick<
  CachedItem,
  'level' | 'stateCategory' | 'areaPath' | 'iterationPath' | 'storyPoints'
>

export async function findCachedRevisions(tx: ReadTx, ids: readonly number[]): Promise<Map<number, CachedRevision>> {
  const revisions = new Map<number, CachedRevision>()
  for await (const chunk of idChunks(tx, ids)) {
    const rows = await itemTables(tx)
      .selectFrom('work_item')
      .select(['id', 'rev', 'relations_fingerprint', 'predecessors', 'fetched_at', 'file_import_id'])
      .select(['level', 'state_category', 'area_path', 'iteration_path', 'story_points'])
      .where(isOneOf(tx, 'id', chunk))
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
          stateCategory: getCategory(row),
          areaPath: row.area_path,
          iterationPath: row.iteration_path,
          storyPoints: row.story_points,
        },
      })
    }
  }
  return revisions
}

/** The subset of `ids` that is cached. */
export async function findCachedIds(tx: ReadTx, ids: readonly number[]): Promise<Set<number>> {
  const cached = new Set<number>()
  for await (const chunk of idChunks(tx, ids)) {
    const rows = await itemTables(tx)
      .selectFrom('work_item')
      .select('id')
      .where(isOneOf(tx, 'id', chunk))
      .execute()
    for (const { id } of rows) cached.add(id)
  }
  return cached
}

/** A cached item without its texts. */
export interface ItemSummary {
  id: number
  type: string
  rev: number
  relationsFingerprint: string
  parentId: number | null
  areaPath: string
  fetchedAt: string
  /** The last request for the item did not return it. */
  isGone: boolean
  /** The tracker's version of such an item is unknown until it is read. */
  isFromFile: boolean
  /** A sync of all items of its tracker knew it. */
  isCompared: boolean
}

/** The cached items among `ids`; without `ids`, all of them. */
export async function findItemSummaries(tx: ReadTx, ids?: readonly number[]): Promise<Map<number, ItemSummary>> {
  return readSummaries(tx, 'work_item.id', ids ?? (await findItemIds(tx, [])))
}

/** The cached items among the roots, and everything that is cached below them. */
export async function findTreeSummaries(tx: ReadTx, rootIds: readonly number[]): Promise<Map<number, ItemSummary>> {
  const found = await findItemSummaries(tx, rootIds)
  for (let level = [...found.keys()]; level.length > 0; ) {
    const children = [...(await readSummaries(tx, 'work_item.parent_id', level)).values()]
    const next = children.filter(({ id }) => !found.has(id))
    for (const item of next) found.set(item.id, item)
    level = next.map(({ id }) => id)
  }
  return found
}

async function readSummaries(
  tx: ReadTx,
  column: 'work_item.id' | 'work_item.parent_id',
  ids: readonly number[],
): Promise<Map<number, ItemSummary>> {
  const summaries = new Map<number, ItemSummary>()
  for await (const chunk of idChunks(tx, ids)) {
    const rows = await itemTables(tx)
      .selectFrom('work_item')
      .leftJoin('gone_item', 'gone_item.item_id', 'work_item.id')
      .select([
        'work_item.id',
        'work_item.type',
        'work_item.rev',
        'work_item.relations_fingerprint',
        'work_item.parent_id',
        'work_item.area_path',
        'work_item.fetched_at',
        'work_item.file_import_id',
        'work_item.compared',
        'gone_item.since',
      ])
      .where(isOneOf(tx, column, chunk))
      .orderBy('work_item.id')
      .execute()
    for (const row of rows) {
      summaries.set(row.id, {
        id: row.id,
        type: row.type,
        rev: row.rev,
        relationsFingerprint: row.relations_fingerprint,
        parentId: row.parent_id,
        areaPath: row.area_path,
        fetchedAt: row.fetched_at,
        isGone: row.since !== null,
        isFromFile: row.file_import_id !== null,
        isCompared: row.compared !== null,
      })
    }
  }
  return summaries
}
