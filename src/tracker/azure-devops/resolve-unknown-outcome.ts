import type { ItemChange } from '../tracker'
import { fieldNames, parseInstant, parsePerson, parseTags } from './field-values'
import type { WireItem } from './wire-schemas'

/**
 * Whether a change without a response was applied, judged by the current item.
 * `unchanged`: the item is as it was. `overtaken`: another change came first, so this one can no longer be applied.
 * `unclear`: the item has changed, but it is not clear by which change.
 */
export type ResolvedOutcome = 'applied' | 'unchanged' | 'overtaken' | 'unclear'

export function resolveUnknownOutcome(change: ItemChange, now: WireItem): ResolvedOutcome {
  const comparisons = Object.entries(change.fields).map(([name, value]) => compareField(name, value, now.fields))
  if (comparisons.every((comparison) => comparison === 'same')) return 'applied'
  if (now.rev <= change.rev) return 'unchanged'
  // Our change would have made exactly this revision, so a different value shows that another change made it.
  const notOurs = now.rev === change.rev + 1 && comparisons.includes('different')
  return notOurs ? 'overtaken' : 'unclear'
}

type Comparison = 'same' | 'different' | 'unclear'

/** The tracker rewrites long texts and the case of known names, so for these only a match is conclusive. */
function compareField(
  name: string,
  wanted: string | number | boolean | null,
  fields: Record<string, unknown>,
): Comparison {
  const found = fields[name]
  if (wanted === null || wanted === '') return toComparison(isEmpty(found))
  if (isEmpty(found)) return 'different'
  if (name === fieldNames.tags) return toComparison(normalizeTags(found) === normalizeTags(wanted))
  if (typeof found === 'object' || name === fieldNames.assignedTo) return toComparison(isSamePerson(found, wanted))
  const [have, want] = [String(found).trim(), String(wanted).trim()]
  if (have === want) return 'same'
  const instant = parseInstant(want)
  if (instant !== null && instant === parseInstant(have)) return 'same'
  const isUnclear = have.toLowerCase() === want.toLowerCase() || isLongText(have) || isLongText(want)
  return isUnclear ? 'unclear' : 'different'
}

function toComparison(isSame: boolean): Comparison {
  return isSame ? 'same' : 'different'
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function normalizeTags(value: unknown): string {
  return parseTags(value)
    .map((tag) => tag.toLowerCase())
    .sort()
    .join(';')
}

function isSamePerson(found: unknown, wanted: string | number | boolean): boolean {
  const person = parsePerson(found)
  const asked = parsePerson(wanted)
  const names = [person?.uniqueName, person?.displayName].map((name) => name?.toLowerCase())
  return [asked?.uniqueName, asked?.displayName].some((name) => name != null && names.includes(name.toLowerCase()))
}

function isLongText(text: string): boolean {
  return /[<\n]|&[a-z#]/i.test(text)
}
