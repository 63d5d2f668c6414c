import type { Person } from '../../tracker'

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
  assignedTo: Person | null
}

/** True where the item passes every criterion that is given. Letter case never matters. */
export function matchesFilter(item: Filterable, filter: ItemFilter): boolean {
  if (filter.state !== undefined && !same(item.state, filter.state)) return false
  if (filter.assignedTo !== undefined && !isPerson(item.assignedTo, filter.assignedTo)) return false
  return filter.search === undefined || holdsWords(item, filter.search)
}

/** By display name, by account, or by the account's part before the @. */
export function isPerson(person: Person | null, name: string): boolean {
  if (!person) return false
  const account = person.uniqueName ?? ''
  return (
    same(person.displayName, name) ||
    same(account, name) ||
    (account.includes('@') && same(account.split('@')[0]!, name))
  )
}

function holdsWords(item: Filterable, search: string): boolean {
  const text = `#${item.id} ${item.title} ${item.tags.join(' ')}`.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function same(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}
