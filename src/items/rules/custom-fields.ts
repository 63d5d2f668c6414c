import { findNearest } from '../../kernel/text/nearest-text'
import { equalsIgnoringCase } from '../../kernel/text/text'
import type { ProcessField } from '../../tracker'
import type { FieldValue } from '../schemas'
import { getLastSegment } from './compare-snapshots'
import { normalizeName, splitListValue } from './update-fields'

type NamedField = Pick<ProcessField, 'referenceName' | 'name'>

/** The fields that a name means: the display name, or else the reference name or its last part, in any case. Several trackers may have one each. */
export function findNamedFields<Field extends NamedField>(fields: readonly Field[], name: string): Field[] {
  const plain = normalizeName(name)
  const named = fields.filter((field) => normalizeName(field.name) === plain)
  if (named.length > 0) return named
  const exact = fields.filter(({ referenceName }) => equalsIgnoringCase(referenceName, name.trim()))
  if (exact.length > 0) return exact
  return fields.filter(({ referenceName }) => normalizeName(getLastSegment(referenceName)) === plain)
}

const MAX_LISTED_NAMES = 12

/** What is wrong with a name that no field has. */
export function describeUnknownField(name: string, fields: readonly NamedField[]): string {
  if (fields.length === 0)
    return `"${name}" is not known: the fields of the tracker are read with the next import or sync`
  const names = [...new Set(fields.map((field) => field.name))].sort()
  const near = findNearest(name, names, 3)
  if (near !== null) return `"${name}" is not a field of the tracker; did you mean "${near}"?`
  const some = names.slice(0, MAX_LISTED_NAMES).join(', ')
  return `"${name}" is not a field of the tracker; there are ${some}${names.length > MAX_LISTED_NAMES ? ', …' : ''}`
}

/** A stored value as people read it; null if there is none. Several values are one text: `a; b`. */
export function toReadableValue(value: unknown): FieldValue {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  if (Array.isArray(value)) {
    const texts = value.map(toReadableValue).filter((one) => one !== null)
    return texts.length === 0 ? null : texts.join('; ')
  }
  const { displayName, name, value: option } = value as { displayName?: unknown; name?: unknown; value?: unknown }
  return [displayName, name, option].find((text): text is string => typeof text === 'string' && text !== '') ?? null
}

/** Whether a value of a field equals a text, in any case; of a list, whether it contains it. */
export function matchesText(value: FieldValue, kind: ProcessField['kind'], text: string): boolean {
  if (value === null) return false
  if (kind === 'number' || kind === 'integer') return text.trim() !== '' && Number(value) === Number(text)
  if (kind === 'boolean')
    return equalsIgnoringCase(String(value), text) || (value === true ? /^yes$/i : /^no$/i).test(text)
  if (kind === 'date') return String(value).toLowerCase().startsWith(text.trim().toLowerCase()) && text.trim() !== ''
  if (equalsIgnoringCase(String(value), text.trim())) return true
  return kind === 'list' && splitListValue(String(value)).some((part) => equalsIgnoringCase(part, text.trim()))
}
