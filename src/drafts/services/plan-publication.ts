import {
  addHtml,
  type FieldChange,
  type FieldUpdate,
  type FieldValue,
  findConflictingChanges,
  findTextFormat,
  type ItemVersion,
  listFieldChanges,
  listIdentities,
  readValue,
  valueToShow,
  valueToStore,
} from '../../items'
import { type EditedSource, editStoredText } from '../../rich-text/edit/edit-text'
import { marks } from '../../sanitize'
import type { ItemProperty, ProcessField } from '../../tracker'
import { mergeTexts, type Preference } from '../rules/merge-texts'
import type { DraftContent, PublicationConflict, ResolvedFields } from '../schemas'
import { planGivenFields } from './plan-given-fields'

/** The properties of an item that a draft has. */
export const PUBLISHED_PROPERTIES = [
  'title',
  'description',
  'acceptanceCriteria',
  'storyPoints',
  'assignedTo',
  'areaPath',
  'iterationPath',
  'tags',
] as const satisfies readonly (ItemProperty & keyof DraftContent)[]

/** What draft and item were when they were last the same. */
export interface PublicationBase {
  /** The draft, in which parts of the item may have been removed. */
  content: DraftContent
  /** The fields of the item by reference name. */
  fields: Record<string, unknown>
}

export interface PublicationPlan {
  updates: FieldUpdate[]
  changes: FieldChange[]
  conflicts: PublicationConflict[]
  notes: string[]
  /** By reference name: the values that the draft is based on, where the item will have others that the draft has not seen. */
  seenFields: Record<string, unknown>
}

interface PlanInput {
  draftId: number
  draft: DraftContent
  /** Null if the draft has never been the same as the item. */
  base: PublicationBase | null
  item: ItemVersion
  fields: ReadonlyMap<ItemProperty, ProcessField>
  prefer: Preference | null
  resolved: ResolvedFields
  /** Checked values that the call sets, in place of those of the draft. */
  given: readonly FieldUpdate[]
  /** Checked values of the draft's further fields of the tracker. */
  further: readonly FurtherField[]
}

/** A value that the draft has for a field of the tracker that is no property of every item. */
export interface FurtherField extends FieldUpdate {
  /** What the draft had when it was last the same as the item; null if it did not have the field. */
  copied: FieldValue
  isChanged: boolean
}

/**
 * Compares the draft and the item with what they were when they were last the same. Only fields that the draft has changed are updated. A
 * long text is changed in the form in which the item stores it, so that what the draft does not show stays in the item.
 */
export function planPublication(input: PlanInput): PublicationPlan {
  const { draftId, draft, base, item, fields, prefer } = input
  const propertyOf = (name: string) =>
    PUBLISHED_PROPERTIES.find((property) => fields.get(property)?.referenceName === name) ?? null
  const { updates, seen, conflicts, notes } = planGivenFields({
    ...input,
    baseFields: base?.fields ?? null,
    propertyOf,
  })
  const send = (field: ProcessField, value: FieldValue) => {
    const { losses = [], ...update } = toUpdate(item, field, value)
    updates.push(update)
    notes.push(...formatLosses(field, losses))
  }
  const planValue = ({ property, field, value, copied, isChanged }: ValueOfDraft) => {
    const resolved = input.resolved[property]
    if (!isChanged) {
      const unseen = base === null ? null : findUnseenValue(base, item, field)
      if (unseen === null) return
      seen.push(unseen)
      notes.push(
        `${field.name} was changed in the tracker, and draft ${draftId} has an older value, which was not sent.`,
      )
    } else if (resolved !== undefined) send(field, resolved)
    else if (base === null) {
      const conflict = prefer === 'ours' ? null : findBaselessConflict(item, field, value)
      if (conflict === null) send(field, value)
      else if (prefer === null) conflicts.push({ property, ...conflict })
    } else {
      const merged = mergeField({ field, value, copied }, { ...input, base })
      if (merged.conflict !== null) conflicts.push({ property, ...merged.conflict })
      if (merged.value !== undefined)
        updates.push({ field, value: merged.value, ...(merged.html === undefined ? {} : { html: merged.html }) })
      if (merged.seen && merged.seen.value !== merged.value) seen.push(merged.seen)
      notes.push(...formatLosses(field, merged.losses ?? []), ...(merged.notes ?? []))
    }
  }
  const given = new Set(input.given.map(({ field }) => field.referenceName))
  const further = input.further.filter(({ field }) => !given.has(field.referenceName))
  const others = new Set([...input.given, ...further].map(({ field }) => propertyOf(field.referenceName)))
  for (const property of PUBLISHED_PROPERTIES) {
    if (others.has(property)) continue
    const field = fields.get(property)
    const [value, copied] = [draft, base?.content].map((content) => toValue(content?.[property])) as [
      FieldValue,
      FieldValue,
    ]
    if (canSet(field)) planValue({ property, field, value, copied, isChanged: value !== copied })
    else if (value !== copied && !hasNoPlaceFor(property, fields)) notes.push(formatNotSent(property))
  }
  for (const { field, value, copied, isChanged } of further)
    planValue({ property: propertyOf(field.referenceName) ?? field.referenceName, field, value, copied, isChanged })
  const toSet = addHtml(updates, [item])
  const changes = listFieldChanges(item, toSet)
  const seenFields = Object.fromEntries(
    addHtml(seen, [item]).map((one) => [one.field.referenceName, valueToStore(item, one)]),
  )
  return { updates: toSet, changes, conflicts, notes: [...changes.flatMap(listMarkNotes), ...notes], seenFields }
}

/** A value of the draft, and what it was when draft and item were last the same. */
interface ValueOfDraft {
  /** What settles a conflict names it so. */
  property: string
  field: ProcessField
  value: FieldValue
  copied: FieldValue
  isChanged: boolean
}

function toValue(value: FieldValue | undefined): FieldValue {
  return value === undefined || value === '' ? null : value
}

/** Whether the tracker has the field and lets it be set. */
export function canSet(field: ProcessField | undefined): field is ProcessField {
  return field !== undefined && !field.readOnly
}

/** What a call says that has sent the draft and cannot remember it. */
export function formatDeleted(draftId: number): string {
  return `Draft ${draftId} was deleted meanwhile.`
}

/** A tracker without areas keeps items in its project, and an area of another tracker means nothing there. */
export function hasNoPlaceFor(property: ItemProperty, fields: ReadonlyMap<ItemProperty, ProcessField>): boolean {
  return property === 'areaPath' && !fields.has(property)
}

export function formatNotSent(property: ItemProperty): string {
  const words = property.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `The tracker has no field for the ${words} that can be set, so the draft's was not sent.`
}

function formatLosses(field: ProcessField, losses: readonly string[]): string[] {
  return losses.map((loss) => `${field.name} will lose ${loss}.`)
}

/** The value of the base, if the item has another one. */
function findUnseenValue({ fields }: PublicationBase, item: ItemVersion, field: ProcessField): FieldUpdate | null {
  const value = readValue(fields, field.referenceName)
  const [changed] = findConflictingChanges(fields, item, [{ field, value }])
  return changed ? { field, value: changed.from } : null
}

/** Without a common version, it is not known who has changed a field. Only an empty one loses nothing. */
function findBaselessConflict(item: ItemVersion, field: ProcessField, value: FieldValue): MergedField['conflict'] {
  const tracker = valueToShow(item, field, readValue(item.fields, field.referenceName))
  const isChanged = listFieldChanges(item, addHtml([{ field, value }], [item])).length > 0
  if (tracker === null || !isChanged) return null
  return { field: field.name, base: null, draft: value, tracker, ...ofBoth(value, tracker) }
}

interface MergedField {
  /** Undefined if the item keeps its value. */
  value?: FieldValue
  html?: string
  /** The value with the changes of the draft alone. */
  seen?: FieldUpdate
  /** What the item loses that the draft did not show. */
  losses?: string[]
  notes?: string[]
  conflict: Omit<PublicationConflict, 'property'> | null
}

function mergeField(
  { field, value, copied }: { field: ProcessField; value: FieldValue; copied: FieldValue },
  { base, item, prefer }: PlanInput & { base: PublicationBase },
): MergedField {
  if (field.kind === 'text') return mergeLongText({ field, value, copied }, { base, item, prefer })
  const [found] = findConflictingChanges(base.fields, item, [{ field, value }])
  const seen = { field, value }
  if (!found || prefer === 'ours') return { value, seen, conflict: null }
  if (prefer === 'theirs') return { seen, conflict: null }
  return {
    conflict: { field: field.name, base: found.from, draft: value, tracker: found.to, ...ofBoth(value, found.to) },
  }
}

/** Makes the edit of the draft in the text that was copied, and if that has changed since, the change between the two in what it is now. */
function mergeLongText(
  { field, value, copied }: { field: ProcessField; value: FieldValue; copied: FieldValue },
  { base, item, prefer }: Pick<PlanInput, 'item' | 'prefer'> & { base: PublicationBase },
): MergedField {
  const text = new LongTextOfItem(item, field)
  const [original, theirs] = [text.read(base.fields), text.read(item.fields)]
  const edit = (force: boolean) => text.edit(original, { before: toText(copied), after: toText(value), force })
  const ours = edit(prefer === 'ours')
  const versions = { base: text.show(original), draft: text.show(ours.source), tracker: text.show(theirs) }
  if (ours.undecided.length > 0) {
    const forced = edit(true)
    const draft = text.show(forced.source)
    const conflict = {
      field: field.name,
      ...versions,
      draft: toText(value),
      ...ofBoth(draft, versions.tracker),
      undecided: ours.undecided,
    }
    if (prefer !== 'theirs') return { conflict }
    const notes = [
      `The edits of ${field.name} in the draft were not sent: one of them is beside what was removed from it.`,
    ]
    return { seen: text.toUpdate(forced.source), conflict: null, notes }
  }
  const seen = text.toUpdate(ours.source)
  if (theirs === original) return { ...seen, seen, conflict: null, losses: ours.losses }
  const merge = (prefer: Preference | null) =>
    mergeTexts(
      { base: versions.base, ours: versions.draft, theirs: versions.tracker },
      { prefer, names: { ours: 'draft', theirs: 'tracker' } },
    )
  const merged = merge(prefer)
  if (merged.hasConflict) {
    const both = { withDraft: merge('ours').text, withTracker: merge('theirs').text }
    return { conflict: { field: field.name, ...versions, merged: merged.text, ...both, undecided: [] } }
  }
  const result = text.edit(theirs, { before: versions.tracker, after: merged.text, force: true })
  return { ...text.toUpdate(result.source), seen, conflict: null, losses: [...ours.losses, ...result.losses] }
}

interface LossyUpdate extends FieldUpdate {
  /** What the item loses that its text in Markdown does not show. */
  losses?: string[]
}

/** A long text of an item, as it is stored and as it is shown. */
class LongTextOfItem {
  readonly #item: ItemVersion
  readonly #field: ProcessField

  constructor(item: ItemVersion, field: ProcessField) {
    this.#item = item
    this.#field = field
  }

  read(fields: Record<string, unknown>): string {
    return String(readValue(fields, this.#field.referenceName) ?? '')
  }

  show(stored: string): string {
    return toText(valueToShow(this.#item, this.#field, stored))
  }

  edit(source: string, { force, ...edit }: { before: string; after: string; force: boolean }): EditedSource {
    if (edit.after === '') return { source: '', undecided: [], losses: [] }
    const format = findTextFormat(this.#item, this.#field) ?? 'markdown'
    const people = listIdentities(this.#item.fields)
    const edited = editStoredText({ format, source, ...edit, people }, { force })
    if (!force || edited.undecided.length === 0) return edited
    // The edit must be made, and its place in the source is not known.
    const { source: written } = editStoredText({ format, source: '', before: '', after: edit.after, people })
    return { source: written, undecided: [], losses: ['the formatting of the whole text'] }
  }

  /** What sets the field to a text in the form in which it is stored. */
  toUpdate(stored: string): FieldUpdate {
    const isHtml = findTextFormat(this.#item, this.#field) === 'html'
    const value = this.show(stored) || null
    return { field: this.#field, value, ...(isHtml && value !== null ? { html: stored } : {}) }
  }

  /** What sets the field to a Markdown text, and leaves what that has in common with the text of the item as it is stored. */
  replace(value: FieldValue): LossyUpdate {
    const stored = this.read(this.#item.fields)
    if (value === null || stored.trim() === '') return { field: this.#field, value }
    const { source, losses } = this.edit(stored, { before: this.show(stored), after: toText(value), force: true })
    return { ...this.toUpdate(source), losses }
  }
}

/** What settles a conflict of a value that cannot be merged. */
function ofBoth(draft: FieldValue, tracker: FieldValue) {
  return { merged: null, withDraft: draft, withTracker: tracker, undecided: [] }
}

function toUpdate(item: ItemVersion, field: ProcessField, value: FieldValue): LossyUpdate {
  return field.kind === 'text' ? new LongTextOfItem(item, field).replace(value) : { field, value }
}

function toText(value: FieldValue): string {
  return value === null ? '' : String(value).trimEnd()
}

/** A mark in a new text would replace what was removed from the draft for good. */
function listMarkNotes({ field, from, to }: FieldChange): string[] {
  const count = (text: FieldValue, mark: string) => String(text ?? '').split(mark).length - 1
  const added = [...new Set(Object.values(marks))].filter((mark) => count(to, mark) > count(from, mark))
  return added.map((mark) => `${field} will contain “${mark}” in place of what was removed from the draft.`)
}

/** The names of long texts that the item stores as Markdown, for an item of which only the cached properties are known. */
export function listMarkdownFields(
  fields: ReadonlyMap<ItemProperty, ProcessField>,
  formats: Partial<Record<ItemProperty, 'html' | 'markdown' | null>>,
): string[] {
  return [...fields].flatMap(([property, { referenceName }]) =>
    formats[property] === 'markdown' ? [referenceName] : [],
  )
}
