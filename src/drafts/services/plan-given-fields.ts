import {
  addHtml,
  type FieldUpdate,
  type FieldValue,
  findConflictingChanges,
  type ItemVersion,
  listFieldChanges,
  readValue,
  valueToShow,
} from '../../items'
import type { Preference } from '../rules/merge-texts'
import type { PublicationConflict, ResolvedFields } from '../schemas'

interface GivenFieldsInput {
  /** Checked values that the call sets besides the draft. */
  given: readonly FieldUpdate[]
  /** The fields of the item at the last time that the draft and the item were equal; null if they never were. */
  baseFields: Record<string, unknown> | null
  item: ItemVersion
  prefer: Preference | null
  resolved: ResolvedFields
  /** The property of the draft that has the field; null if none has. */
  propertyOf(referenceName: string): string | null
}

export interface GivenFieldsPlan {
  updates: FieldUpdate[]
  conflicts: PublicationConflict[]
  notes: string[]
  /** What the draft is based on in place of the values that stay. */
  seen: FieldUpdate[]
}

/**
 * Which values that a call sets are sent. As for the draft, a value that somebody else has changed since the base is a conflict, and without a
 * base every other value is.
 */
export function planGivenFields({ given, baseFields, item, ...settled }: GivenFieldsInput): GivenFieldsPlan {
  const plan: GivenFieldsPlan = { updates: [], conflicts: [], notes: [], seen: [] }
  for (const update of addHtml(given, [item])) {
    const { field, value } = update
    const property = settled.propertyOf(field.referenceName)
    const resolved = settled.resolved[property ?? field.referenceName]
    const change = findChangeOfOthers(update, baseFields, item)
    if (resolved !== undefined) plan.updates.push({ field, value: resolved })
    else if (change === null || settled.prefer === 'ours') plan.updates.push(update)
    else if (settled.prefer === 'theirs') {
      plan.notes.push(`${field.name} was changed in the tracker, so its new value was not sent.`)
      if (property !== null) plan.seen.push({ field, value: change.base })
    } else {
      const { base, tracker } = change
      const versions = {
        base,
        draft: value,
        tracker,
        merged: null,
        withDraft: value,
        withTracker: tracker,
        undecided: [],
      }
      plan.conflicts.push({ property: property ?? field.referenceName, field: field.name, ...versions })
    }
  }
  return plan
}

/** What the field had and what it has, if setting it would overwrite that. Without a base, only an empty field loses nothing. */
function findChangeOfOthers(
  update: FieldUpdate,
  baseFields: Record<string, unknown> | null,
  item: ItemVersion,
): { base: FieldValue; tracker: FieldValue } | null {
  const { field } = update
  if (baseFields !== null) {
    const [found] = findConflictingChanges(baseFields, item, [update])
    return found ? { base: found.from, tracker: found.to } : null
  }
  const tracker = valueToShow(item, field, readValue(item.fields, field.referenceName))
  const isChanged = tracker !== null && listFieldChanges(item, [update]).length > 0
  return isChanged ? { base: null, tracker } : null
}
