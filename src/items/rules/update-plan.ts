import type { ItemChange, TrackerItem } from '../../tracker'
import type { FieldUpdate, FieldValue } from './update-fields'

/** What a field of an item is and becomes. */
export interface FieldChange {
  field: string
  from: FieldValue
  to: FieldValue
}

/** What of the updates would change the item; what it has already is left out. */
export function listFieldChanges(item: TrackerItem, updates: readonly FieldUpdate[]): FieldChange[] {
  return updates
    .filter((update) => !hasValue(item, update))
    .map(({ field, value }) => ({ field: field.name, from: readItemValue(item, field.referenceName), to: value }))
}

/** The one change to send for the item, or null where it has all the values already. */
export function buildItemChange(item: TrackerItem, updates: readonly FieldUpdate[]): ItemChange | null {
  const differing = updates.filter((update) => !hasValue(item, update))
  if (differing.length === 0) return null
  return {
    id: item.id,
    rev: item.rev,
    fields: Object.fromEntries(differing.map(({ field, value }) => [field.referenceName, value])),
  }
}

type Fields = Readonly<Record<string, unknown>>

/**
 * A three-way merge, field by field: those that are to be set and that somebody else has set to another value since `base`.
 * Where the two agree, or the other left the field alone, there is nothing to lose.
 */
export function findConflictingChanges(base: Fields, now: TrackerItem, updates: readonly FieldUpdate[]): FieldChange[] {
  return updates.flatMap((update) => {
    const { name, referenceName } = update.field
    const before = readValue(base, referenceName)
    const current = readItemValue(now, referenceName)
    return isEqualValue(before, current) || hasValue(now, update) ? [] : [{ field: name, from: before, to: current }]
  })
}

/** What a person is told of a conflict, and what to do about it. */
export function formatConflict(lost: readonly FieldChange[], now: TrackerItem): string {
  const said = lost.map(({ field, from, to }) => `${field} from ${formatValue(from)} to ${formatValue(to)}`)
  return `Somebody else has changed ${said.join(', ')} (revision ${now.rev}). Look at it, then update it again.`
}

const MAX_VALUE_LENGTH = 60

function formatValue(value: FieldValue): string {
  const text = value === null ? '(empty)' : String(value)
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH - 1)}…` : text
}

/** Whether the item has the value already; a person goes by account or name, a date by its instant, tags by no order. */
function hasValue({ fields }: TrackerItem, { field, value }: FieldUpdate): boolean {
  const current = readValue(fields, field.referenceName)
  if (isEqualValue(current, value)) return true
  if (typeof current !== 'string' || typeof value !== 'string') return false
  if (field.kind === 'identity')
    return listPersonNames(fields[field.referenceName]).some((name) => same(name, value.trim()))
  if (field.kind === 'path') return same(current, value)
  if (field.kind === 'tags') return normalizeTags(current) === normalizeTags(value)
  return field.kind === 'date' && parseInstant(current) === parseInstant(value)
}

function listPersonNames(person: unknown): string[] {
  if (typeof person !== 'object' || person === null) return [String(person)]
  const { uniqueName, displayName } = person as { uniqueName?: unknown; displayName?: unknown }
  return [uniqueName, displayName].filter((name) => typeof name === 'string')
}

function normalizeTags(text: string): string {
  const tags = text
    .toLowerCase()
    .split(';')
    .map((tag) => tag.trim())
  return [...new Set(tags.filter((tag) => tag !== ''))].sort().join(';')
}

/** Without a zone it is UTC. */
function parseInstant(text: string): number {
  return Date.parse(/T[\d:.]+$/.test(text) ? `${text}Z` : text)
}

function readItemValue(item: TrackerItem, referenceName: string): FieldValue {
  return readValue(item.fields, referenceName)
}

function readValue(fields: Fields, referenceName: string): FieldValue {
  const value = fields[referenceName]
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'object') return listPersonNames(value)[0] ?? null
  return value as FieldValue
}

function isEqualValue(a: FieldValue, b: FieldValue): boolean {
  return typeof a === 'string' && typeof b === 'string' ? a.trim() === b.trim() : a === b
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
