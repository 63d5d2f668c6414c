import type { ErrorDetail } from '../../kernel'
import type { ItemChange, ProcessField, TrackerItem, TrackerProcess } from '../../tracker'
import type { FieldUpdate, FieldValue } from './update-fields'

/** What a field of an item is and becomes. */
export interface FieldChange {
  field: string
  from: FieldValue
  to: FieldValue
}

/** Values that the process does not allow for these items, each with the item it concerns. */
export function disallowedValues(
  items: readonly TrackerItem[],
  updates: readonly FieldUpdate[],
  process: TrackerProcess,
): ErrorDetail[] {
  const details = new Map<string, ErrorDetail>()
  for (const { field, value } of updates) {
    if (value === null) {
      if (field.property && required.has(field.property)) add(details, field.name, 'cannot be empty')
      continue
    }
    for (const item of items) checkForType(details, item.type, { field, value }, process)
  }
  return [...details.values()]
}

const required = new Set(['title', 'state', 'areaPath', 'iterationPath'])

/** What the tracker says of the values of a field in items of a type. */
export interface AllowedValues {
  typeName: string
  referenceName: string
  values: string[]
}

/** The fields whose values only the tracker can judge, for each type that is to be changed. */
export function openQuestions(items: readonly TrackerItem[], updates: readonly FieldUpdate[]) {
  const types = [...new Set(items.map((item) => item.type))]
  const open = updates.filter(
    ({ field, value }) => value !== null && field.property !== 'state' && listed.has(field.kind),
  )
  return types.flatMap((typeName) => open.map(({ field }) => ({ typeName, referenceName: field.referenceName })))
}

/** The kinds of which a process may name the values one by one. */
const listed = new Set<ProcessField['kind']>(['string', 'integer', 'number'])

/** Values that are not among those which the tracker names. */
export function unlistedValues(updates: readonly FieldUpdate[], allowed: readonly AllowedValues[]): ErrorDetail[] {
  return allowed.flatMap(({ typeName, referenceName, values }) => {
    const update = updates.find(({ field }) => field.referenceName === referenceName)
    if (!update || values.some((value) => same(value, String(update.value)))) return []
    const message = `"${update.value}" is not a value of a ${typeName}; it may be ${values.join(', ')}`
    return [{ path: update.field.name, message }]
  })
}

function add(details: Map<string, ErrorDetail>, path: string, message: string): void {
  details.set(`${path} ${message}`, { path, message })
}

function checkForType(
  details: Map<string, ErrorDetail>,
  typeName: string,
  update: FieldUpdate,
  process: TrackerProcess,
): void {
  const type = process.types.find((candidate) => same(candidate.name, typeName))
  if (!type) return
  const { field, value } = update
  const hasField =
    type.fieldReferenceNames.length === 0 || type.fieldReferenceNames.some((name) => same(name, field.referenceName))
  if (!hasField) add(details, field.name, `is not a field of a ${type.name}`)
  if (!hasField || field.property !== 'state' || type.states.length === 0) return
  if (type.states.some((state) => same(state.name, String(value)))) return
  add(
    details,
    field.name,
    `"${value}" is not a state of a ${type.name}; it has ${type.states.map((state) => state.name).join(', ')}`,
  )
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

/** What of the updates would change the item; what it has already is left out. */
export function changesOf(item: TrackerItem, updates: readonly FieldUpdate[]): FieldChange[] {
  return updates
    .map(({ field, value }) => ({ field: field.name, from: currentValue(item, field.referenceName), to: value }))
    .filter((change) => !equal(change.from, change.to))
}

/** The one change to send for the item, or null where it has all the values already. */
export function changeToSend(item: TrackerItem, updates: readonly FieldUpdate[]): ItemChange | null {
  const differing = updates.filter(({ field, value }) => !equal(currentValue(item, field.referenceName), value))
  if (differing.length === 0) return null
  return {
    id: item.id,
    rev: item.rev,
    fields: Object.fromEntries(differing.map(({ field, value }) => [field.referenceName, value])),
  }
}

/** True where somebody else has changed one of the very fields that are to be set. */
export function touchesSameFields(before: TrackerItem, now: TrackerItem, updates: readonly FieldUpdate[]): boolean {
  return updates.some(
    ({ field }) => !equal(currentValue(before, field.referenceName), currentValue(now, field.referenceName)),
  )
}

function currentValue(item: TrackerItem, referenceName: string): FieldValue {
  const value = item.fields[referenceName]
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'object') return (value as { uniqueName?: string }).uniqueName ?? null
  return value as FieldValue
}

function equal(a: FieldValue, b: FieldValue): boolean {
  return typeof a === 'string' && typeof b === 'string' ? a.trim() === b.trim() : a === b
}
