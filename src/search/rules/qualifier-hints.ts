import type { Filter, Qualifier } from './filters'
import { fold } from './fold'
import { QUALIFIER_NAMES } from './qualifier-names'
import { editDistance } from './typo'

const LOOKS_QUALIFIED = /^([a-z-]{2,20}):[^\s/]/i
const NAMES = [...QUALIFIER_NAMES, 'is', 'no', 'in']

/** For text that looks like a mistyped qualifier, which was searched for as words. */
export function qualifierHints({ text, quoted }: { text: string; quoted: boolean }): string[] {
  const name = quoted ? undefined : LOOKS_QUALIFIED.exec(text)?.[1]?.toLowerCase()
  if (name === undefined) return []
  if (name === 'is') return [`"${text}" was read as words. After is: write open, done, assigned, unassigned or a type.`]
  if (NAMES.includes(name)) return []
  const near = nearestOf(name, NAMES, 2)
  return near === null ? [] : [`"${name}:" is not a qualifier and was read as words. Did you mean "${near}:"?`]
}

/** For a filter whose value no entity has. */
export function valueHint({ qualifier, value }: Filter, known: readonly string[]): string {
  const asked = `Nothing has the ${qualifier === 'id' ? 'ID' : qualifier} "${value}".`
  const near = nearestOf(value ?? '', known, 3)
  if (near !== null) return `${asked} Did you mean ${qualifier}:${inQuotes(near)}?`
  const some = known.slice(0, MOST_NAMED).map(inQuotes)
  if (some.length === 0 || !IS_CHOSEN.includes(qualifier)) return asked
  return `${asked} Known values: ${some.join(', ')}${known.length > some.length ? ', …' : ''}.`
}

const MOST_NAMED = 8
/** Qualifiers with few values, of which people choose one. */
const IS_CHOSEN: readonly Qualifier[] = ['state', 'type', 'priority']
/** How many known values are looked at: more would take longer than the search. */
const MOST_COMPARED = 5_000
const LONGEST_COMPARED = 100

/** The value with the fewest edits, or one that holds the text or is held by it. */
function nearestOf(text: string, known: readonly string[], mostEdits: number): string | null {
  const wanted = fold(text).slice(0, LONGEST_COMPARED)
  const most = Math.min(mostEdits, Math.floor(wanted.length / 3))
  let [best, edits] = [null as string | null, most + 1]
  for (const value of known.slice(0, MOST_COMPARED)) {
    const other = fold(value).slice(0, LONGEST_COMPARED)
    const distance = editDistance(wanted, other, edits)
    if (distance < edits) [best, edits] = [value, distance]
  }
  return best ?? known.find((value) => wanted.length >= 3 && fold(value).includes(wanted)) ?? null
}

function inQuotes(value: string): string {
  return /\s/.test(value) ? `"${value}"` : value
}
