import { checkpoint, hint, type ListWindow, StudioError, suggest } from '../../kernel'
import { MAX_PART_BYTES } from '../../kernel/work/chunks'
import { pauseIfLong, type ReadTx, type StorageContext } from '../../storage'
import {
  findCachedItems,
  findItemIds,
  hasCachedItems,
  type ItemCondition,
  listIterations,
  listKnownPeople,
  listKnownTags,
  listKnownTypes,
  listKnownValues,
  measureItemTexts,
  splitItems,
} from '../queries'
import type { CachedItem } from '../rules/cached-item'
import { findCurrentIterations, formatDay } from '../rules/current-iterations'
import {
  areaMatcher,
  createIterationMatcher,
  createPersonMatcher,
  findValues,
  isCurrent,
  stateMatcher,
  suggestStoredValue,
  tagMatcher,
  typeMatcher,
  type ValueMatcher,
} from '../rules/filter-values'
import { containsWords, usesMe } from '../rules/item-filter'
import { type FilterCriteria, StateCategory } from '../schemas'
import type { WorkspaceContext } from './workspace-context'

type FilterContext = Pick<WorkspaceContext, 'clock' | 'user' | 'notice' | 'signal' | 'budget'>

/** The cached items that meet the criteria, ordered by ID. A notice says which values no item has, and what may be meant instead. */
async function findItems(tx: ReadTx, criteria: FilterCriteria, ctx: FilterContext): Promise<CachedItem[]> {
  const items = await findCachedItems(tx, await findItemIds(tx, await readConditions(tx, criteria, ctx)))
  const found = await selectByText(items, criteria.search, () => pauseIfLong(tx, ctx))
  if (found.length === 0) await adviseImport(tx, ctx)
  return found
}

/** The items that contain the words; all without words. */
async function selectByText(
  items: CachedItem[],
  search: string | null,
  pause: () => Promise<void>,
): Promise<CachedItem[]> {
  if (search === null) return items
  const found: CachedItem[] = []
  for (const item of items) {
    if (containsWords(item, search)) found.push(item)
    await pause()
  }
  return found
}

/**
 * The same in parts, without holding up other calls: if the texts are long, the items are read in several transactions. An item that changes
 * meanwhile is read as it was before or after that.
 */
export async function* readItems(
  ctx: FilterContext & StorageContext,
  readCriteria: (tx: ReadTx) => Promise<FilterCriteria>,
): AsyncGenerator<CachedItem[], void, undefined> {
  const { items, search, parts } = await ctx.db.read(async (tx) => {
    const criteria = await readCriteria(tx)
    if ((await measureItemTexts(tx)) <= MAX_PART_BYTES)
      return { items: await findItems(tx, criteria, ctx), search: null, parts: [] }
    const ids = await findItemIds(tx, await readConditions(tx, criteria, ctx))
    return { items: [], search: criteria.search, parts: await splitItems(tx, ids, MAX_PART_BYTES) }
  })
  yield items
  for (const ids of parts) {
    await checkpoint(ctx)
    const part = await ctx.db.read((tx) => findCachedItems(tx, ids))
    yield await selectByText(part, search, () => checkpoint(ctx))
  }
}

/** A part of what `findItems` finds by criteria without a text, and how many there are. Reads only the items of the part. */
export async function findItemWindow(
  tx: ReadTx,
  criteria: FilterCriteria,
  ctx: FilterContext,
  { from, count }: ListWindow,
): Promise<{ items: CachedItem[]; total: number }> {
  const ids = await findItemIds(tx, await readConditions(tx, criteria, ctx))
  if (ids.length === 0) await adviseImport(tx, ctx)
  const start = from === null ? 0 : ids.findIndex((id) => id >= Number(from[0]))
  const items = start < 0 ? [] : await findCachedItems(tx, ids.slice(start, start + count))
  return { items, total: ids.length }
}

async function adviseImport(tx: ReadTx, { notice }: FilterContext): Promise<void> {
  if (await hasCachedItems(tx)) return
  notice(hint`No work items are cached. Import some: ${suggest('features.import', { featureId: '<featureId>' })}`)
}

/** The IDs of what `findItems` finds. Without a text to search for, no item is read. */
export async function findIdsOfItems(tx: ReadTx, criteria: FilterCriteria, ctx: FilterContext): Promise<number[]> {
  if (criteria.search === null) return findItemIds(tx, await readConditions(tx, criteria, ctx))
  return (await findItems(tx, criteria, ctx)).map(({ id }) => id)
}

/** Throws `invalid` if the criteria use `@me` and no user is configured. */
export function requireUser(criteria: FilterCriteria, user: string | null): void {
  if (!usesMe(criteria) || user !== null) return
  throw new StudioError('invalid', '@me is not configured.', {
    hint: 'Set STUDIO_USER to your name or account in the tracker.',
    details: [{ path: 'assignedTo', message: '@me requires STUDIO_USER to be set' }],
  })
}

/** The conditions for all criteria but the text. */
async function readConditions(tx: ReadTx, criteria: FilterCriteria, ctx: FilterContext): Promise<ItemCondition[]> {
  requireUser(criteria, ctx.user)
  const { state, assignedTo, type, area, iteration, tag, parent } = criteria
  /** The stored values of each alternative. */
  const find = <Value>(text: string, known: readonly Value[], matcher: ValueMatcher<Value>): Value[][] =>
    findValues(text, known, matcher).map((found) => {
      const isSpecial = found.text.startsWith('@')
      if (found.values.length === 0 && !isSpecial) ctx.notice(suggestStoredValue(found.text, known, matcher))
      return found.values
    })
  const conditions: ItemCondition[] = []
  if (state !== null) {
    const states = (await listKnownValues(tx, 'state')).map((name) => ({ state: name, category: null }))
    const categories = StateCategory.options.map((category) => ({ state: null, category }))
    const found = find(state, [...states, ...categories], stateMatcher).flat()
    conditions.push({
      state: found.flatMap((value) => value.state ?? []),
      state_category: found.flatMap((value) => value.category ?? []),
    })
  }
  if (assignedTo !== null) {
    const found = find(assignedTo, await listKnownPeople(tx), createPersonMatcher(ctx.user)).flat()
    conditions.push({
      assigned_account: found.flatMap(({ uniqueName }) => uniqueName ?? []),
      assigned_name: found.flatMap(({ displayName, uniqueName }) => (uniqueName === null ? displayName : [])),
    })
  }
  if (type !== null) {
    const found = find(type, await listKnownTypes(tx), typeMatcher).flat()
    conditions.push({ type: found.map((value) => value.type) })
  }
  if (area !== null)
    conditions.push({ area_path: find(area, await listKnownValues(tx, 'area_path'), areaMatcher).flat() })
  if (iteration !== null) {
    const current = iteration.split(',').some(isCurrent) ? await listCurrentIterations(tx, ctx) : []
    const matcher = createIterationMatcher(current)
    conditions.push({ iteration_path: find(iteration, await listKnownValues(tx, 'iteration_path'), matcher).flat() })
  }
  if (tag !== null) {
    const known = await listKnownTags(tx)
    const names = [...new Set(known.flatMap(({ tags }) => tags))]
    for (const wanted of find(tag, names, tagMatcher)) {
      const having = known.filter(({ tags }) => tags.some((name) => wanted.includes(name)))
      conditions.push({ tags: having.map(({ stored }) => stored) })
    }
  }
  if (parent !== null) conditions.push({ parent_id: parent.split(',').map(Number) })
  return conditions
}

/** The paths of the iterations that `@current` means. A notice says why there is none. */
export async function listCurrentIterations(tx: ReadTx, { clock, notice }: FilterContext): Promise<string[]> {
  const day = formatDay(clock.now())
  const rows = await listIterations(tx)
  const iterations = rows.map(({ path, start_date: startDate, finish_date: finishDate }) => ({
    path,
    startDate,
    finishDate,
  }))
  const current = findCurrentIterations(iterations, day)
  if (current.length > 0) return current
  notice(
    iterations.some(({ startDate }) => startDate !== null)
      ? `No iteration of the tracker includes today, ${day}.`
      : hint`The dates of the iterations are not cached. Read them: ${suggest('items.sync')}`,
  )
  return []
}
