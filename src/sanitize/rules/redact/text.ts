import { cleanCharacters, foldWhitespace } from '../../../rich-text'
import type { Tally } from '../removal'
import { findRedactions, type RedactionRules } from './find'
import type { Passage } from './finding'
import { marks } from './marks'

/** A second round is needed only if a mark exposes text that was hidden next to the removed part. */
export const MAX_ROUNDS = 4

/** How a text is read that has no markup: as prose, as code, or as both because either may be in it. */
const readings = {
  prose: [() => false],
  code: [() => true],
  both: [() => false, () => true],
} satisfies Record<string, Passage['isCode'][]>

/** Replaces people and secrets in a text without markup by marks. */
export function redactPlain(text: string, as: keyof typeof readings, rules: RedactionRules, tally: Tally): string {
  let result = text
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = result
    for (const isCode of readings[as]) result = replace({ text: result, isCode }, rules, tally)
    if (result === before) break
  }
  return result
}

function replace(passage: Passage, rules: RedactionRules, tally: Tally): string {
  const parts: string[] = []
  let from = 0
  for (const { start, end, kind } of findRedactions(passage, rules)) {
    parts.push(passage.text.slice(from, start), marks[kind])
    tally.add(kind)
    from = end
  }
  return parts.join('') + passage.text.slice(from)
}

/** Replaces people and secrets in one line of plain text by marks. */
export function redactLine(text: string, rules: RedactionRules, tally: Tally): string {
  const clean = cleanCharacters(text)
  tally.add('invisible-character', clean.invisible)
  return redactPlain(foldWhitespace(clean.text), 'prose', rules, tally)
}
