import { getTrackerName } from '../../kernel/text/item-reference'
import { pauseIfLong, type ReadTx } from '../../storage'
import type { StateCategory } from '../../tracker'
import { findBlockers, type Predecessor } from '../rules/blockers'
import type { CachedItem } from '../rules/cached-item'
import { showReference } from '../rules/item-reference'
import { type PastState, parsePastState } from '../rules/snapshot-fields'
import type { WorkItemTable } from '../tables/work-item-tables'
import { findItemNames } from './item-names'
import { idChunks, isOneOf, itemTables, toPerson } from './item-tables'
import { readConfirmations } from './sync-state'

/** A cached item without its texts, as reports count it. */
export type Reportable = Pick<
  CachedItem,
  | 'id'
  | 'tracker'
  | 'reference'
  | 'type'
  | 'level'
  | 'title'
  | 'state'
  | 'stateCategory'
  | 'assignedTo'
  | 'areaPath'
  | 'iterationPath'
  | 'tags'
  | 'storyPoints'
  | 'priority'
  | 'parentId'
  | 'blocked'
  | 'changedAt'
  | 'fetchedAt'
> & {
  isFromFile: boolean
}

const COLUMNS = [
  'id',
  'type',
  'level',
  'title',
  'state',
  'state_category',
  'assigned_name',
  'assigned_account',
  'area_path',
  'iteration_path',
  'tags',
  'story_points',
  'priority',
  'parent_id',
  'predecessors',
  'blocked_field',
  'changed_at',
  'fetched_at',
  'file_import_id',
  'compared',
  'reference',
] as const satisfies readonly (keyof WorkItemTable)[]

type Row = Pick<WorkItemTable, (typeof COLUMNS)[number]>

const PAGE_SIZE = 1_000

/** All cached items, ordered by ID. Reads in pages, so that other calls get their turn, and memory never contains all rows. */
export async function listReportables(tx: ReadTx): Promise<Reportable[]> {
  const known = new Map<number, Reportable>()
  const dependents: { item: Reportable; predecessors: Predecessor[] }[] = []
  const intern = createTextPool()
  const confirmedAt = await readConfirmations(tx)
  for (let last = 0, rows = await readPage(tx, last); rows.length > 0; rows = await readPage(tx, last)) {
    for (const row of rows) {
      const item = toReportable({ ...row, fetched_at: confirmedAt(row) }, intern)
      known.set(item.id, item)
      if (row.predecessors !== '[]') dependents.push({ item, predecessors: JSON.parse(row.predecessors) })
      last = row.id
    }
    await pauseIfLong(tx)
  }
  const outside = dependents.flatMap(({ predecessors }) =>
    predecessors.map(({ id }) => id).filter((id) => !known.has(id)),
  )
  const nameOf = await findItemNames(tx, outside)
  for (const { item, predecessors } of dependents) {
    const seen = predecessors.map((one) => known.get(one.id) ?? { ...one, reference: nameOf(one.id) })
    const { stateCategory } = item
    const found = findBlockers({ stateCategory, tags: EMPTY, blockedField: false, predecessors: seen })
    if (found.length > 0) item.blocked = [...item.blocked, ...found]
  }
  return [...known.values()]
}

function readPage(tx: ReadTx, after: number): Promise<Row[]> {
  return itemTables(tx)
    .selectFrom('work_item')
    .select(COLUMNS)
    .where('id', '>', after)
    .orderBy('id')
    .limit(PAGE_SIZE)
    .execute()
}

const EMPTY: [] = []

function toReportable(row: Row, intern: (text: string) => string): Reportable {
  const stateCategory = row.state_category === null ? null : (intern(row.state_category) as StateCategory)
  const tags = row.tags === '[]' ? EMPTY : (JSON.parse(row.tags) as string[])
  const blocked = findBlockers({ stateCategory, tags, blockedField: row.blocked_field === 1, predecessors: EMPTY })
  const person = toPerson(row)
  return {
    id: row.id,
    tracker: intern(getTrackerName(row.reference)),
    reference: showReference(row.id, row.reference),
    type: intern(row.type),
    level: row.level,
    title: row.title,
    state: intern(row.state),
    stateCategory,
    assignedTo: person && {
      displayName: intern(person.displayName),
      uniqueName: person.uniqueName && intern(person.uniqueName),
    },
    areaPath: intern(row.area_path),
    iterationPath: intern(row.iteration_path),
    tags,
    storyPoints: row.story_points,
    priority: row.priority,
    parentId: row.parent_id,
    blocked: blocked.length === 0 ? EMPTY : blocked,
    changedAt: row.changed_at,
    fetchedAt: intern(row.fetched_at),
    isFromFile: row.file_import_id !== null,
  }
}

/** Replaces equal texts by one instance, because database engines make a new string for each row. */
function createTextPool(): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    const first = known.get(text)
    if (first !== undefined) return first
    known.set(text, text)
    return text
  }
}

/** The states in the snapshots of each item, oldest first. Loads one chunk of items at a time. */
export async function* readPastStates(tx: ReadTx, ids: readonly number[]): AsyncGenerator<[number, PastState[]]> {
  for await (const chunk of idChunks(tx, ids)) {
    const rows = await itemTables(tx)
      .selectFrom('snapshot')
      .select(['item_id', 'fields'])
      .where(isOneOf(tx, 'item_id', chunk))
      .orderBy('id')
      .execute()
    const found = new Map<number, PastState[]>()
    for (const { item_id, fields } of rows) {
      const states = found.get(item_id)
      const state = parsePastState(JSON.parse(fields) as Record<string, unknown>)
      if (states) states.push(state)
      else found.set(item_id, [state])
    }
    yield* found
  }
}
