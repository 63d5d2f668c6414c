import {
  checkValues,
  createUpdateError,
  type FieldUpdate,
  type GivenFields,
  resolveFields,
  type TrackerWorkspaceContext,
} from '../../items'
import { type ErrorDetail, hint, StudioError, suggest } from '../../kernel'
import type { ItemProperty, ProcessField, Tracker } from '../../tracker'
import type { DraftContent } from '../schemas'
import type { PublicationSource } from './load-for-publication'
import type { FurtherField } from './plan-publication'

/** Of these a draft has its own, whose edits are merged with those of others. */
const TEXTS: readonly ItemProperty[] = ['title', 'description', 'acceptanceCriteria']

interface GivenForDraft {
  draftId: number
  given: GivenFields
  /** The fields from which the properties of the item come. */
  properties: ReadonlyMap<ItemProperty, ProcessField>
}

/**
 * The values that a call sets besides the draft, as the process spells them for an item of the type. Without a type, their values are not
 * checked. Throws `invalid` with all that is wrong.
 */
export async function checkGivenFields(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  { draftId, given, properties }: GivenForDraft,
  type: string | null,
): Promise<FieldUpdate[]> {
  if (Object.keys({ ...given.fields, ...given.updates }).length === 0) return []
  const { process, requested, problems } = await resolveFields(ctx, tracker, given)
  refuseTexts(draftId, requested, properties)
  return type === null ? requested : checkValues(ctx, tracker, { items: [{ type }], requested, process, problems })
}

/** Names the draft in an error about its own fields, because the call has no such values. */
export async function explainOwnFields<Value>(
  { draft, content }: Pick<PublicationSource, 'draft' | 'content'>,
  given: GivenFields,
  work: Promise<Value>,
): Promise<Value> {
  try {
    return await work
  } catch (error) {
    const isOwn = ({ path }: ErrorDetail) =>
      path.startsWith('fields.') &&
      Object.hasOwn(content.fields, nameOf(path)) &&
      !Object.hasOwn(given.fields ?? {}, nameOf(path))
    if (!(error instanceof StudioError) || error.code !== 'invalid' || !error.details.some(isOwn)) throw error
    const details = error.details.map((detail) => (isOwn(detail) ? { ...detail, path: nameOf(detail.path) } : detail))
    throw createUpdateError(
      details,
      hint`Change the fields of the draft: ${suggest('drafts.save', { id: draft.id })}. To see what can be set: ${suggest('items.metadata')}`,
    )
  }
}

interface FieldsOfDraft {
  source: Pick<PublicationSource, 'draft' | 'content' | 'target'>
  properties: ReadonlyMap<ItemProperty, ProcessField>
  /** What the call sets, in place of the values of the draft. */
  set: readonly FieldUpdate[]
}

/**
 * The draft's further fields of the tracker that the call does not set. Those that changed since the last publication are checked like the
 * values that a call sets. Others are left out if the tracker has no such field any more.
 */
export async function checkFurtherFields(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  { source, properties, set }: FieldsOfDraft,
  type: string,
): Promise<FurtherField[]> {
  const { fields } = source.content
  if (Object.keys(fields).length === 0) return []
  const base = source.target?.base?.content.fields ?? null
  const copiedOf = (name: string) => (base !== null && Object.hasOwn(base, name) ? base[name]! : undefined)
  const isChanged = (path: string | undefined) => {
    const [value, copied] = [fields[nameOf(path)], copiedOf(nameOf(path))]
    return base === null ? value !== null : value !== copied
  }
  const { process, requested, problems } = await resolveFields(ctx, tracker, { fields })
  const own = requested.filter((update) => !isIn(set, update))
  const changed = own.filter(({ path }) => isChanged(path))
  refuseTexts(source.draft.id, changed, properties)
  const wrong = problems.filter(({ path }) => isChanged(path))
  const checked =
    changed.length + wrong.length === 0
      ? []
      : await checkValues(ctx, tracker, { items: [{ type }], requested: changed, process, problems: wrong })
  const values = new Map(checked.map((update) => [update.path, update]))
  return own.map((update) => ({
    ...(values.get(update.path) ?? update),
    copied: copiedOf(nameOf(update.path)) ?? null,
    isChanged: isChanged(update.path),
  }))
}

/** The same for a new item: the values that the draft sets, by name, and the fields that they are for. They are checked with the item. */
export async function selectFurtherFields(
  ctx: TrackerWorkspaceContext,
  tracker: Tracker,
  { source, properties, set }: FieldsOfDraft,
): Promise<{ values: DraftContent['fields']; updates: FieldUpdate[] }> {
  const { fields } = source.content
  if (Object.keys(fields).length === 0) return { values: {}, updates: [] }
  const { requested } = await resolveFields(ctx, tracker, { fields })
  refuseTexts(source.draft.id, requested, properties)
  const replaced = requested.filter((update) => isIn(set, update)).map(({ path }) => nameOf(path))
  const values = Object.fromEntries(Object.entries(fields).filter(([name]) => !replaced.includes(name)))
  return { values, updates: requested.filter((update) => !isIn(set, update)) }
}

function isIn(set: readonly FieldUpdate[], { field }: FieldUpdate): boolean {
  return set.some((one) => one.field.referenceName === field.referenceName)
}

/** The name in the draft, for the path of an update. */
function nameOf(path = ''): string {
  return path.slice('fields.'.length)
}

function refuseTexts(
  draftId: number,
  requested: readonly FieldUpdate[],
  properties: ReadonlyMap<ItemProperty, ProcessField>,
): void {
  const texts = new Set(TEXTS.map((property) => properties.get(property)?.referenceName))
  const own = requested.filter(({ field }) => texts.has(field.referenceName))
  if (own.length === 0) return
  throw createUpdateError(
    own.map(({ path, field }) => ({ path: path ?? field.name, message: 'is a text of the draft' })),
    hint`Change it in the draft: ${suggest('drafts.save', { id: draftId })}`,
  )
}
