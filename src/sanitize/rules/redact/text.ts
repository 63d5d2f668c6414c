import { cleanCharacters, foldWhitespace } from '../characters'
import type { Tally } from '../removal'
import { findRedactions, type RedactionRules } from './find'
import type { Passage } from './finding'
import { marks } from './marks'

/** A second round is needed only if a mark exposes text that was hidden next to the removed part. */
export const MAX_ROUNDS = 4

/** Replaces people and secrets in a text without markup by marks. */
export function redactPlain(text: string, isCode: Passage['isCode'], rules: RedactionRules, tally: Tally): string {
  let result = text
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const findings = findRedactions({ text: result, isCode }, rules)
    if (findings.length === 0) break
    const parts: string[] = []
    let from = 0
    for (const { start, end, kind } of findings) {
      parts.push(result.slice(from, start), marks[kind])
      tally.add(kind)
      from = end
    }
    result = parts.join('') + result.slice(from)
  }
  return result
}

/** Replaces people and secrets in one line of plain text by marks. */
export function redactLine(text: string, rules: RedactionRules, tally: Tally): string {
  const clean = cleanCharacters(text)
  tally.add('invisible-character', clean.invisible)
  return redactPlain(foldWhitespace(clean.text), () => false, rules, tally)
}
