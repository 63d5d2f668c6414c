import type { TermDictionary } from '../rules/expand-query'
import type { LiveSegment } from './live-segment'
import { formKey, termKey } from './segment-keys'

/** The vocabulary of several segments; what only deleted documents have said counts until they are cleared away. */
export function createTermDictionary(parts: readonly LiveSegment[]): TermDictionary {
  return {
    countDocuments: (term) => parts.reduce((sum, { segment }) => sum + segment.countDocuments(termKey(term)), 0),
    hasWrittenForm: (form) => parts.some(({ segment }) => segment.writes(form)),
    forms: (beginning = '') => formsOf(parts, beginning),
  }
}

function formsOf(parts: readonly LiveSegment[], beginning: string): Iterable<string> {
  const all = new Set<string>()
  for (const { segment } of parts) {
    for (const rest of segment.keysWithPrefix(formKey(beginning))) all.add(beginning + rest)
  }
  return all
}
