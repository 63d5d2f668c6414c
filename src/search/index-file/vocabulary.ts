import type { Vocabulary } from '../rules/expand'
import type { Part } from './part'
import { formKey, termKey } from './segment-keys'

/** The vocabulary of several segments; what only deleted documents have said counts until they are cleared away. */
export function vocabularyOf(parts: readonly Part[]): Vocabulary {
  return {
    holds: (term) => parts.some(({ segment }) => segment.holds(termKey(term))),
    writes: (form) => parts.some(({ segment }) => segment.writes(form)),
    forms: (beginning = '') => formsOf(parts, beginning),
  }
}

function formsOf(parts: readonly Part[], beginning: string): Iterable<string> {
  const all = new Set<string>()
  for (const { segment } of parts) {
    for (const rest of segment.keysBeginning(formKey(beginning))) all.add(beginning + rest)
  }
  return all
}
