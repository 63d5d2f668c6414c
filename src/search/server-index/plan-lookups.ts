import type { TermLookup } from '../queries/ranking'
import { dequantizeImpact, IMPACT_STEPS } from '../rules/bm25'
import type { ExpandedTerm } from '../rules/expand-query'
import { isStopTerm } from '../rules/stop-terms'
import { anyOf, prefixLexeme, quoted, termLexeme } from './lexemes'

/** Of more terms than these those that begin as the unfinished word does are looked up by that. */
const MAX_NAMED_TERMS = 64

/** Looks into the index: for each step of impact, and each worth that terms have. */
export function planLookups(
  sought: readonly ExpandedTerm[],
  { unfinished, inTitle }: { unfinished: string | null; inTitle: boolean },
): TermLookup[] {
  return sought.flatMap(({ terms }, part) => {
    const byWorth = new Map<number, string[]>()
    for (const [term, worth] of terms) byWorth.set(worth, [...(byWorth.get(worth) ?? []), term])
    return [...byWorth].flatMap(([worth, group]) => {
      const beginning = group.length > MAX_NAMED_TERMS ? unfinished : null
      const named = group.filter((term) => beginning === null || !term.startsWith(beginning) || isStopTerm(term))
      return Array.from({ length: IMPACT_STEPS }, (_, step) => {
        const lexemes = named.map((term) => termLexeme(term, step, inTitle))
        const others = beginning === null ? [] : [`${quoted(prefixLexeme(beginning, step, inTitle))}:*`]
        const query = [...(lexemes.length > 0 ? [anyOf(lexemes)] : []), ...others].join('|')
        return { part, query, impact: dequantizeImpact(step) * worth }
      })
    })
  })
}
