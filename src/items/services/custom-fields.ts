import { inputError } from '../../kernel'
import type { ReadTx } from '../../storage'
import type { Tracker } from '../../tracker'
import {
  findItemIds,
  findLatestFields,
  findTrackerIds,
  idChunks,
  listTrackerFields,
  replaceTrackerFields,
  type TrackerField,
} from '../queries'
import { describeUnknownField, findNamedFields, matchesText, toReadableValue } from '../rules/custom-fields'
import { addColumnsOfAllItems, findColumn, listSortFields } from '../rules/item-columns'
import { normalizeName } from '../rules/update-fields'
import type { FieldValue } from '../schemas'
import type { TrackerLink } from './tracker-identity'
import { groupByTracker, openTrackerLink } from './tracker-link'
import type { TrackerWorkspaceContext } from './workspace-context'

/**
 * Stores the names of the tracker's fields, by which items are shown and found without it. They are requested when items have changed. A
 * tracker that does not return them changes nothing.
 */
export async function refreshFieldNames(
  ctx: TrackerWorkspaceContext,
  { tracker, findId }: Pick<TrackerLink, 'tracker' | 'findId'>,
  { hasNews }: { hasNews: boolean },
): Promise<void> {
  const trackerId = hasNews ? await ctx.db.read(findId) : null
  if (trackerId === null) return
  const stored = (await ctx.db.read(listTrackerFields)).filter((field) => field.trackerId === trackerId)
  const fields = await readFieldNames(ctx, tracker)
  const rows = stored.map(({ trackerId: _, ...field }) => field)
  if (fields.length === 0 || JSON.stringify(sortByName(rows)) === JSON.stringify(fields)) return
  await ctx.db.write((tx) => replaceTrackerFields(tx, trackerId, fields))
}

/** The same for the trackers of items that were just saved. */
export async function refreshFieldNamesOf(
  ctx: TrackerWorkspaceContext,
  items: readonly { id: number }[],
): Promise<void> {
  const groups =
    items.length === 0
      ? []
      : await groupByTracker(
          ctx,
          items.map(({ id }) => id),
        )
  for (const { name } of groups)
    await refreshFieldNames(ctx, await openTrackerLink(ctx, { name: name ?? undefined }), { hasNews: true })
}

/** The items are saved, whether or not the names of their fields can be read. */
async function readFieldNames(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
): Promise<Omit<TrackerField, 'trackerId'>[]> {
  try {
    const fields =
      (await tracker.listFurtherFields?.(ctx.signal)) ?? (await tracker.describeProcess(ctx.signal, [])).fields
    const further = fields.filter(({ property }) => property === null)
    const rows = further.map(({ referenceName, name, kind, readOnly }) => ({ referenceName, name, kind, readOnly }))
    return sortByName([...new Map(rows.map((row) => [row.referenceName, row])).values()])
  } catch (error) {
    ctx.signal.throwIfAborted()
    ctx.log.warn('the names of fields could not be read', { error: String(error) })
    return []
  }
}

function sortByName<Field extends Pick<TrackerField, 'referenceName'>>(fields: readonly Field[]): Field[] {
  return fields.toSorted((a, b) => (a.referenceName < b.referenceName ? -1 : 1))
}

/** A field by the name that a caller gave, with the fields of the trackers that it means. */
export interface ChosenField {
  /** The display name. */
  name: string
  fields: TrackerField[]
}

/** Finds fields by their names. Throws `invalid` with all names that no cached field has. */
export async function requireCustomFields(
  tx: ReadTx,
  names: readonly { name: string; path: string }[],
): Promise<ChosenField[]> {
  if (names.length === 0) return []
  const all = (await listTrackerFields(tx)).filter(({ kind }) => kind !== 'text')
  const chosen = names.map(({ name, path }) => ({ name, path, fields: findNamedFields(all, name) }))
  const unknown = chosen.filter(({ fields }) => fields.length === 0)
  if (unknown.length > 0)
    throw inputError(unknown.map(({ name, path }) => ({ path, message: describeUnknownField(name, all) })))
  return chosen.map(({ fields }) => ({ name: fields[0]!.name, fields }))
}

/** Whether a name means a field of a tracker. */
export async function readFieldTest(tx: ReadTx): Promise<(name: string) => boolean> {
  const all = (await listTrackerFields(tx)).filter(({ kind }) => kind !== 'text')
  return (name) => findNamedFields(all, name).length > 0
}

/** The fields of the tracker that a list is sorted by. Throws `invalid` for names that are neither these nor fields of every item. */
export async function requireSortFields(tx: ReadTx, sort: string | undefined): Promise<ChosenField[]> {
  const names = listSortFields(sort ?? '').filter((name) => findColumn(name) === null)
  if (names.length === 0) return []
  const all = (await listTrackerFields(tx)).filter(({ kind }) => kind !== 'text')
  const chosen = names.map((name) => ({ name, fields: findNamedFields(all, name) }))
  // An item has its values by the display names.
  const unknown = chosen.filter(
    ({ name, fields: [field] }) => field === undefined || normalizeName(field.name) !== normalizeName(name),
  )
  if (unknown.length > 0)
    throw inputError(
      unknown.map(({ name, fields }) => ({
        path: 'sort',
        message:
          fields[0] === undefined
            ? `no such field: ${name}. ${addColumnsOfAllItems(describeUnknownField(name, all))}`
            : `sort by the display name of the field: ${fields[0].name}`,
      })),
    )
  return chosen.map(({ fields }) => ({ name: fields[0]!.name, fields }))
}

/** The values of fields by display name, for each item that has one. */
export type CustomValues = Record<string, FieldValue>

/** Reads the values of the chosen fields; without a choice, those of all fields that people set and that have a value. */
export async function readCustomValues(
  tx: ReadTx,
  ids: readonly number[],
  chosen: readonly ChosenField[] | null,
): Promise<Map<number, CustomValues>> {
  const found = new Map<number, CustomValues>()
  const settable = chosen ?? groupByName((await listTrackerFields(tx)).filter(isShown))
  if (settable.length === 0) return found
  const trackers = await findTrackerIds(tx, ids)
  for await (const chunk of idChunks(tx, ids)) {
    const stored = await findLatestFields(tx, chunk)
    for (const id of chunk) {
      const values = stored.get(id) ?? {}
      const entries = settable.map(({ name, fields }): [string, FieldValue] => [
        name,
        readFirst(values, fields, trackers.get(id)),
      ])
      found.set(id, Object.fromEntries(chosen ? entries : entries.filter(([, value]) => value !== null)))
    }
  }
  return found
}

/** The values of the chosen fields that an item has, as the tracker returned it. */
export async function readChosenValues(
  tx: ReadTx,
  { id, fields }: { id: number; fields: Readonly<Record<string, unknown>> },
  chosen: readonly ChosenField[],
): Promise<CustomValues> {
  const trackerId = (await findTrackerIds(tx, [id])).get(id)
  const entries = chosen.map(({ name, fields: all }): [string, FieldValue] => [
    name,
    // The first item of a tracker is not cached before it is read.
    readFirst(fields, all, trackerId ?? all[0]?.trackerId),
  ])
  return Object.fromEntries(entries.filter(([, value]) => value !== null))
}

function isShown({ kind, readOnly }: TrackerField): boolean {
  return kind !== 'text' && !readOnly
}

function groupByName(fields: readonly TrackerField[]): ChosenField[] {
  const groups = new Map<string, TrackerField[]>()
  for (const field of fields) groups.set(field.name, [...(groups.get(field.name) ?? []), field])
  return [...groups].map(([name, own]) => ({ name, fields: own }))
}

/** A tracker may have several fields of one name, of which an item has one. */
function readFirst(
  values: Readonly<Record<string, unknown>>,
  fields: readonly TrackerField[],
  trackerId: number | undefined,
): FieldValue {
  for (const field of fields) {
    const value = field.trackerId === trackerId ? toReadableValue(values[field.referenceName]) : null
    if (value !== null) return value
  }
  return null
}

/** What a search asks of a field: a value, or null for no value. */
interface FieldCondition {
  name: string
  value: string | null
}

interface FieldMatches {
  /** The display name of the field. */
  name: string
  ids: Set<number>
  /** Values that items have, for suggestions; not all of them if there are many. */
  known: string[]
}

const MAX_KNOWN_VALUES = 500

/** The cached items that meet a condition, for each of the conditions. Throws `invalid` for names that no field has. */
export async function findIdsByFields(tx: ReadTx, conditions: readonly FieldCondition[]): Promise<FieldMatches[]> {
  const chosen = await requireCustomFields(
    tx,
    conditions.map(({ name }) => ({ name, path: 'q' })),
  )
  const found = chosen.map(({ name }) => ({ name, ids: new Set<number>(), known: new Set<string>() }))
  const ids = await findItemIds(tx, [])
  const trackers = await findTrackerIds(tx, ids)
  for await (const chunk of idChunks(tx, ids)) {
    const stored = await findLatestFields(tx, chunk)
    for (const id of chunk) {
      for (const [at, { value: wanted }] of conditions.entries()) {
        const own = chosen[at]!.fields.filter(({ trackerId }) => trackerId === trackers.get(id))
        const value = readFirst(stored.get(id) ?? {}, own, trackers.get(id))
        const { ids: matching, known } = found[at]!
        if (value !== null && known.size < MAX_KNOWN_VALUES) known.add(String(value))
        if (wanted === null ? value === null : own.some(({ kind }) => matchesText(value, kind, wanted)))
          matching.add(id)
      }
    }
  }
  return found.map(({ known, ...rest }) => ({ ...rest, known: [...known] }))
}

/** Columns as they are stored: the fields of every work item, and the display names of further fields. Throws `invalid` for others. */
export async function nameColumns(tx: ReadTx, names: readonly string[]): Promise<string[]> {
  const further = names.filter((name) => findColumn(name) === null)
  const chosen = await requireCustomFields(
    tx,
    further.map((name) => ({ name, path: 'columns' })),
  )
  return names.map((name) => findColumn(name) ?? chosen[further.indexOf(name)]!.name)
}
