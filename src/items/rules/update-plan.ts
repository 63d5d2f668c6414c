import type { ItemChange, TrackerItem } from '../../tracker'
import type { FieldUpdate, FieldValue } from './update-fields'

/** What a field of an item is and becomes. */
export interface FieldChange {
  field: string
  from: FieldValue
  to: FieldValue
}

/** What of the updates would change the item; what it has already is left out. */
export function changesOf(item: TrackerItem, updates: readonly FieldUpdate[]): FieldChange[] {
  return updates
    .filter((update) => !has(item, update))
    .map(({ field, value }) => ({ field: field.name, from: currentValue(item, field.referenceName), to: value }))
}

/** The one change to send for the item, or null where it has all the values already. */
export function changeToSend(item: TrackerItem, updates: readonly FieldUpdate[]): ItemChange | null {
  const differing = updates.filter((update) => !has(item, update))
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
export function overtaken(base: Fields, now: TrackerItem, updates: readonly FieldUpdate[]): FieldChange[] {
  return updates.flatMap((update) => {
    const { name, referenceName } = update.field
    const before = valueIn(base, referenceName)
    const current = currentValue(now, referenceName)
    return equal(before, current) || has(now, update) ? [] : [{ field: name, from: before, to: current }]
  })
}

/** What a person is told of a conflict, and what to do about it. */
export function conflictText(lost: readonly FieldChange[], now: TrackerItem): string {
  const said = lost.map(({ field, from, to }) => `${field} from ${shown(from)} to ${shown(to)}`)
  return `Somebody else has changed ${said.join(', ')} (revision ${now.rev}). Look at it, then update it again.`
}

const LONGEST_SHOWN = 60

function shown(value: FieldValue): string {
  const text = value === null ? '(empty)' : String(value)
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN - 1)}…` : text
}

/** Whether the item has the value already; a person goes by account or name, a date by its instant, tags by no order. */
function has({ fields }: TrackerItem, { field, value }: FieldUpdate): boolean {
  const current = valueIn(fields, field.referenceName)
  if (equal(current, value)) return true
  if (typeof current !== 'string' || typeof value !== 'string') return false
  if (field.kind === 'identity') return namesOf(fields[field.referenceName]).some((name) => same(name, value.trim()))
  if (field.kind === 'path') return same(current, value)
  if (field.kind === 'tags') return tagsOf(current) === tagsOf(value)
  return field.kind === 'date' && instantOf(current) === instantOf(value)
}

function namesOf(person: unknown): string[] {
  if (typeof person !== 'object' || person === null) return [String(person)]
  const { uniqueName, displayName } = person as { uniqueName?: unknown; displayName?: unknown }
  return [uniqueName, displayName].filter((name) => typeof name === 'string')
}

function tagsOf(text: string): string {
  const tags = text
    .toLowerCase()
    .split(';')
    .map((tag) => tag.trim())
  return [...new Set(tags.filter((tag) => tag !== ''))].sort().join(';')
}

/** Without a zone it is UTC. */
function instantOf(text: string): number {
  return Date.parse(/T[\d:.]+$/.test(text) ? `${text}Z` : text)
}

function currentValue(item: TrackerItem, referenceName: string): FieldValue {
  return valueIn(item.fields, referenceName)
}

function valueIn(fields: Fields, referenceName: string): FieldValue {
  const value = fields[referenceName]
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'object') return namesOf(value)[0] ?? null
  return value as FieldValue
}

function equal(a: FieldValue, b: FieldValue): boolean {
  return typeof a === 'string' && typeof b === 'string' ? a.trim() === b.trim() : a === b
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
