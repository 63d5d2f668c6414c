import { htmlToPlainText, markdownToPlainText } from '../../rich-text'
import type { LongText } from '../../tracker'
import type { FilterCriteria } from '../schemas'

type PartialCriteria = { [Name in keyof FilterCriteria]?: FilterCriteria[Name] | undefined }

export const CRITERIA = ['state', 'assignedTo', 'search', 'type', 'area', 'iteration', 'tag', 'parent'] as const

/** All criteria, from `given` or else from `base`. */
export function toCriteria(given: PartialCriteria, base?: FilterCriteria): FilterCriteria {
  const entries = CRITERIA.map((name) => [name, given[name] ?? base?.[name] ?? null])
  return Object.fromEntries(entries) as FilterCriteria
}

export function isEmptyCriteria(criteria: FilterCriteria): boolean {
  return Object.values(criteria).every((criterion) => criterion === null)
}

export function isMe(name: string): boolean {
  return name.trim().toLowerCase() === '@me'
}

/** Whether one of the assignees is `@me`. */
export function usesMe({ assignedTo }: FilterCriteria): boolean {
  return assignedTo?.split(',').some(isMe) ?? false
}

interface Searched {
  id: number
  title: string
  tags: readonly string[]
  description: LongText | null
  acceptanceCriteria: LongText | null
}

/** Whether the ID and the texts of the item contain all words, in any letter case. */
export function containsWords(item: Searched, search: string): boolean {
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
