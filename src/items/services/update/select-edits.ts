import { pureTasks } from '../../../kernel'
import { editStoredText } from '../../../rich-text/edit/edit-text'
import { findTextFormat, type ItemVersion, listIdentities, valueToShow } from '../../rules/long-text'
import type { FieldUpdate } from '../../rules/update-fields'
import { listFieldChanges, readValue } from '../../rules/update-plan'

interface Edit {
  item: ItemVersion
  /** The fields of the item as the user saw them. */
  seen: Readonly<Record<string, unknown>>
  updates: readonly FieldUpdate[]
}

/** The values that differ from what the user saw. An edit of a long text changes it in the form in which the item stores it. */
export function selectEdits({ item, seen, updates }: Edit): FieldUpdate[] {
  const before = { ...item, fields: seen }
  return updates
    .filter((update) => listFieldChanges(before, [update]).length > 0)
    .map((update) => editInPlace(before, update))
}

/** What the Markdown of a text does not show stays in it, if the places of the edits are known. */
function editInPlace(seen: ItemVersion, update: FieldUpdate): FieldUpdate {
  const { field, value } = update
  const stored = readValue(seen.fields, field.referenceName)
  if (findTextFormat(seen, field) !== 'html' || typeof value !== 'string' || typeof stored !== 'string') return update
  const before = String(valueToShow(seen, field, stored)).trimEnd()
  const people = listIdentities(seen.fields)
  const edit = { format: 'html' as const, source: stored, before, after: value.trimEnd(), people }
  const { source, undecided } = editStoredText(edit, { force: true })
  return undecided.length > 0 ? update : { ...update, html: source }
}

export const editTasks = pureTasks('item-edits', { selectEdits })
