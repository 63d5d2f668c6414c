import { compute, type ErrorDetail, StudioError } from '../../../kernel'
import { equalsIgnoringCase } from '../../../kernel/text/text'
import { formatInstant } from '../../../kernel/time'
import type { NewItem, ProcessField, Tracker, TrackerItem, TrackerProcess, WorkItemType } from '../../../tracker'
import { findParentProblem } from '../../rules/hierarchy'
import { itemTasks } from '../../rules/tasks'
import { createUpdateError, type FieldUpdate, type GivenFields } from '../../rules/update-fields'
import { listNewValues } from '../../rules/update-plan'
import type { FieldChange } from '../../schemas'
import { refreshFieldNames } from '../custom-fields'
import { refreshLinkedItems } from '../import/refresh-linked-items'
import { upsertItems } from '../import/upsert-items'
import type { TrackerLink } from '../tracker-identity'
import { checkValues, resolveFields } from '../update/check-updates'
import type { TrackerWorkspaceContext } from '../workspace-context'

/** A checked item that has not been sent. */
export interface PreparedItem extends Pick<NewItem, 'type' | 'parentId' | 'fields'> {
  /** The values as people read them. */
  changes: FieldChange[]
}

interface PreparedFromInput extends PreparedItem {
  /** The fields that get values of the call, by the path of the input: `updates.Description`. */
  sources: Record<string, string>
}

/**
 * Checks a new item against the process before anything is sent: its type, every value, the fields that the type requires, and its parent.
 * An item with a parent gets the parent's area and iteration, unless they are given. Throws `invalid` with all errors.
 */
export async function prepareNewItem(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  request: { type: string; parentId: number | null; given: GivenFields },
): Promise<PreparedFromInput> {
  const { process, requested, problems, wrong } = await resolveFields(ctx, tracker, request.given)
  const type = findType(request.type, process)
  if (type === null) throw createUpdateError([createTypeProblem(request.type, process), ...problems])
  const parent = request.parentId === null ? null : await readParent(ctx, tracker, request.parentId)
  const parentProblem = parent && findParentProblem({ type: type.name, level: type.level }, parent)
  const updates = requested
    .filter(({ value }) => value !== null)
    .map((update) => toFieldOfType(update, { type, process, requested }))
  const missing = listMissingFields(type, process, updates).filter(({ referenceName }) => !wrong.has(referenceName))
  const checked = await checkValues(ctx, tracker, {
    items: [{ type: type.name }],
    requested: updates,
    process,
    problems: [
      ...(parentProblem === null ? [] : [{ path: 'parentId', message: parentProblem }]),
      ...problems,
      ...(await describeMissing(ctx, tracker, { type, missing })),
    ],
  })
  const inherited = parent === null ? [] : inheritFields(parent, checked, process)
  const toSet = await compute(ctx, itemTasks.addHtml, [...checked, ...inherited], parent === null ? [] : [parent])
  return {
    type: type.name,
    parentId: request.parentId,
    fields: Object.fromEntries(toSet.map(({ field, value, html }) => [field.referenceName, html ?? value!])),
    changes: listNewValues(toSet),
    sources: Object.fromEntries(
      toSet.flatMap(({ field, path }) => (path === undefined ? [] : [[path, field.referenceName]])),
    ),
  }
}

interface FinishedCreation {
  /** The last known version of the item; null if it could not be read. */
  latest: TrackerItem | null
  /** Whether the marker could not be removed. */
  isMarked: boolean
}

/** Removes the marker of a created item, caches the item, and refreshes its cached parent. */
export async function finishCreation(
  ctx: TrackerWorkspaceContext,
  link: TrackerLink,
  { created, marker }: { created: { id: number; item: TrackerItem | null }; marker: string },
): Promise<FinishedCreation> {
  const { isGone, item } = await link.tracker.removeMarker(created.id, marker, ctx.signal)
  if (!isGone) ctx.log.warn('the marker of a created item could not be removed', { id: created.id })
  const latest = item ?? created.item
  const finished = { latest, isMarked: !isGone }
  if (latest === null) return finished
  // The item exists, whether or not it can be cached.
  await saveItem(ctx, link, latest).catch((error: unknown) =>
    ctx.log.warn('a created item could not be cached', { id: created.id, error: String(error) }),
  )
  // The process was read to check the values, so this takes no request.
  await refreshFieldNames(ctx, link, { hasNews: true })
  if (latest.parentId !== null)
    await refreshLinkedItems(ctx, link, { ids: [latest.parentId], at: formatInstant(ctx.clock.now()) })
  return finished
}

/** Saves an item as the tracker returned it. */
export async function saveItem(ctx: TrackerWorkspaceContext, link: TrackerLink, item: TrackerItem): Promise<void> {
  await ctx.db.write(async (tx) => {
    await link.claim(tx)
    await upsertItems(tx, [{ item, predecessors: null }], { at: formatInstant(ctx.clock.now()) })
  })
}

function findType(name: string, process: TrackerProcess): WorkItemType | null {
  return process.types.find((type) => equalsIgnoringCase(type.name, name.trim())) ?? null
}

function createTypeProblem(name: string, process: TrackerProcess): ErrorDetail {
  const names = process.types.map((type) => type.name).join(', ')
  return { path: 'type', message: `"${name}" is not a type of this tracker; use one of ${names}` }
}

/** Throws `not_found` if the parent cannot be read. */
async function readParent(ctx: TrackerWorkspaceContext, tracker: Tracker, id: number): Promise<TrackerItem> {
  const { items } = await tracker.getItems([id], { signal: ctx.signal })
  const [parent] = items
  if (parent) return parent
  throw new StudioError(
    'not_found',
    `The parent, work item ${id}, was not found, or your token cannot read it. Nothing was sent.`,
    { hint: 'Specify another parent.' },
  )
}

/** People read the description of some types in another field. */
function toFieldOfType(
  update: FieldUpdate,
  { type, process, requested }: { type: WorkItemType; process: TrackerProcess; requested: readonly FieldUpdate[] },
): FieldUpdate {
  const { property, referenceName } = update.field
  const shown = type.descriptionField
  if (property !== 'description' || referenceName === shown) return update
  if (requested.some(({ field }) => field.referenceName === shown)) return update
  const field = process.fields.find((candidate) => candidate.referenceName === shown)
  return field ? { ...update, field } : update
}

/** The fields that the type requires and that are not given. */
function listMissingFields(type: WorkItemType, process: TrackerProcess, given: readonly FieldUpdate[]): ProcessField[] {
  const names = new Set(given.map(({ field }) => field.referenceName))
  return process.fields
    .filter(({ referenceName, readOnly }) => type.requiredFields.includes(referenceName) && !readOnly)
    .filter(({ referenceName }) => !names.has(referenceName))
}

/** The missing fields, with the values that the tracker allows. */
function describeMissing(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  { type, missing }: { type: WorkItemType; missing: readonly ProcessField[] },
): Promise<ErrorDetail[]> {
  return Promise.all(
    missing.map(async ({ name, referenceName }) => {
      const values = await tracker.listAllowedValues(type.name, referenceName, ctx.signal)
      const choices = values === null ? '' : `; use one of ${values.join(', ')}`
      return { path: `updates.${name}`, message: `is required for a ${type.name}${choices}` }
    }),
  )
}

function inheritFields(parent: TrackerItem, given: readonly FieldUpdate[], process: TrackerProcess): FieldUpdate[] {
  return (['areaPath', 'iterationPath'] as const).flatMap((property) => {
    const field = process.fields.find((candidate) => candidate.property === property)
    if (!field || parent[property] === '' || given.some((update) => update.field.property === property)) return []
    return [{ field, value: parent[property] }]
  })
}
