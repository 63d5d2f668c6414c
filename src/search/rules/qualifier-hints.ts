import { editDistance } from './edit-distance'
import type { Filter, Qualifier } from './filters'
import { normalizeText } from './normalize-text'
import { QUALIFIER_NAMES } from './qualifier-names'

const LOOKS_QUALIFIED = /^([a-z-]{2,20}):[^\s/]/i
const NAMES = [...QUALIFIER_NAMES, 'is', 'no', 'in']

/** For text that looks like a mistyped qualifier, which was searched for as words. */
export function suggestQualifiers({ text, quoted }: { text: string; quoted: boolean }): string[] {
  const name = quoted ? undefined : LOOKS_QUALIFIED.exec(text)?.[1]?.toLowerCase()
  if (name === undefined) return []
  if (name === 'is')
    return [`"${text}" was searched for as words. After is: write open, done, assigned, unassigned or a type.`]
  if (NAMES.includes(name)) return []
  const near = findNearest(name, NAMES, 2)
  return near === null ? [] : [`"${name}:" is not a qualifier and was searched for as words. Did you mean "${near}:"?`]
}

/** For a filter whose value no entity has. */
export function suggestValue({ qualifier, value }: Filter, known: readonly string[]): string {
  const asked = `Nothing has the ${qualifier === 'id' ? 'ID' : qualifier} "${value}".`
  const near = findNearest(value ?? '', known, 3)
  if (near !== null) return `${asked} Did you mean ${qualifier}:${inQuotes(near)}?`
  const some = known.slice(0, MAX_LISTED_VALUES).map(inQuotes)
  if (some.length === 0 || !ENUMERATED_QUALIFIERS.includes(qualifier)) return asked
  return `${asked} Known values: ${some.join(', ')}${known.length > some.length ? ', …' : ''}.`
}

const MAX_LISTED_VALUES = 8
/** Qualifiers with few values, of which people choose one. */
const ENUMERATED_QUALIFIERS: readonly Qualifier[] = ['state', 'type', 'priority']
/** How many known values are looked at: more would take longer than the search. */
const MAX_COMPARED_VALUES = 5_000
const MAX_COMPARED_LENGTH = 100

/** The value with the fewest edits, or one that holds the text or is held by it. */
function findNearest(text: string, known: readonly string[], mostEdits: number): string | null {
  const wanted = normalizeText(text).slice(0, MAX_COMPARED_LENGTH)
  const most = Math.min(mostEdits, Math.floor(wanted.length / 3))
  let [best, edits] = [null as string | null, most + 1]
  for (const value of known.slice(0, MAX_COMPARED_VALUES)) {
    const other = normalizeText(value).slice(0, MAX_COMPARED_LENGTH)
    const distance = editDistance(wanted, other, edits)
    if (distance < edits) [best, edits] = [value, distance]
  }
  return best ?? known.find((value) => wanted.length >= 3 && normalizeText(value).includes(wanted)) ?? null
}

function inQuotes(value: string): string {
  return /\s/.test(value) ? `"${value}"` : value
}
