import { equalsIgnoringCase } from '../../kernel/text'
import { htmlToPlainText, markdownToPlainText } from '../../sanitize'
import type { LongText, Person } from '../../tracker'
import type { FilterCriteria } from '../schemas'

type PartialCriteria = { [Name in keyof FilterCriteria]?: FilterCriteria[Name] | undefined }

/** All three criteria, from `given` or else from `base`. */
export function toCriteria(given: PartialCriteria, base?: FilterCriteria): FilterCriteria {
  return {
    state: given.state ?? base?.state ?? null,
    assignedTo: given.assignedTo ?? base?.assignedTo ?? null,
    search: given.search ?? base?.search ?? null,
  }
}

export function isEmptyCriteria(criteria: FilterCriteria): boolean {
  return Object.values(criteria).every((criterion) => criterion === null)
}

interface Filterable {
  id: number
  title: string
  state: string
  tags: readonly string[]
  description: LongText | null
  acceptanceCriteria: LongText | null
  assignedTo: Person | null
}

/** Whether the item passes all criteria, in any letter case. `@me` must be replaced before. */
export function matchesFilter(item: Filterable, { state, assignedTo, search }: PartialCriteria): boolean {
  if (state != null && !equalsIgnoringCase(item.state, state)) return false
  if (assignedTo != null && !matchesPerson(item.assignedTo, assignedTo)) return false
  return search == null || containsWords(item, search)
}

/** Compares with the display name, the account and the part of the account before the @. */
function matchesPerson(person: Person | null, name: string): boolean {
  if (!person) return false
  const account = person.uniqueName ?? ''
  const names = [person.displayName, account, ...(account.includes('@') ? [account.split('@')[0]!] : [])]
  return names.some((known) => equalsIgnoringCase(known, name))
}

function containsWords(item: Filterable, search: string): boolean {
  const { id, title, tags, description, acceptanceCriteria } = item
  const words = search.toLowerCase().split(/\s+/)
  const shortTexts = [`#${id}`, title, ...tags].join('\n').toLowerCase()
  const missing = words.filter((word) => !shortTexts.includes(word))
  if (missing.length === 0) return true
  const longTexts = [description, acceptanceCriteria].map(toPlainText).join('\n').toLowerCase()
  return missing.every((word) => longTexts.includes(word))
}

function toPlainText(text: LongText | null): string {
  if (text === null) return ''
  return text.format === 'html' ? htmlToPlainText(text.text) : markdownToPlainText(text.text)
}
