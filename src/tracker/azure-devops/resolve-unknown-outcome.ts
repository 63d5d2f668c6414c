import type { ItemChange } from '../tracker'
import { fieldNames, parseInstant, parsePerson, parseTags } from './field-values'
import type { WireItem } from './wire-schemas'

/**
 * Whether a change whose answer never came was applied, judged by the item as it is now.
 * `unchanged`: the item stands as it did; `overtaken`: another change came first, so this one cannot be applied any more;
 * `unclear`: it has changed, and whether by us cannot be told.
 */
export type ResolvedOutcome = 'applied' | 'unchanged' | 'overtaken' | 'unclear'

export function resolveUnknownOutcome(change: ItemChange, now: WireItem): ResolvedOutcome {
  const comparisons = Object.entries(change.fields).map(([name, value]) => compareField(name, value, now.fields))
  if (comparisons.every((comparison) => comparison === 'same')) return 'applied'
  if (now.rev <= change.rev) return 'unchanged'
  // Ours would have made exactly this revision, so a value that differs shows that another change did.
  const notOurs = now.rev === change.rev + 1 && comparisons.includes('different')
  return notOurs ? 'overtaken' : 'unclear'
}

type Comparison = 'same' | 'different' | 'unclear'

/** The tracker rewrites long texts, and the case of names that it knows: there only a match says something. */
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
