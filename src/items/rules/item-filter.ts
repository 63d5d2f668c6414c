import { htmlToPlainText, markdownToPlainText } from '../../sanitize'
import type { LongText, Person } from '../../tracker'

export interface ItemFilter {
  state?: string
  assignedTo?: string
  search?: string
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

/** True where the item passes every criterion that is given. Letter case never matters. */
export function matchesFilter(item: Filterable, filter: ItemFilter): boolean {
  if (filter.state !== undefined && !same(item.state, filter.state)) return false
  if (filter.assignedTo !== undefined && !matchesPerson(item.assignedTo, filter.assignedTo)) return false
  return filter.search === undefined || containsWords(item, filter.search)
}

/** By display name, by account, or by the account's part before the @. */
export function matchesPerson(person: Person | null, name: string): boolean {
  if (!person) return false
  const account = person.uniqueName ?? ''
  return (
    same(person.displayName, name) ||
    same(account, name) ||
    (account.includes('@') && same(account.split('@')[0]!, name))
  )
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

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
