import type { Lookup } from '../queries/ranking'
import type { Sought } from '../rules/expand'
import { IMPACT_STEPS, impactAt } from '../rules/score'
import { isStopTerm } from '../rules/stop-terms'
import { anyOf, beginningLexeme, quoted, termLexeme } from './lexemes'

/** Of more terms than these those that begin as the unfinished word does are looked up by that. */
const MOST_NAMED = 64

/** Looks into the index: for each step of impact, and each worth that terms have. */
export function lookupsFor(
  sought: readonly Sought[],
  { unfinished, inTitle }: { unfinished: string | null; inTitle: boolean },
): Lookup[] {
  return sought.flatMap(({ terms }, part) => {
    const byWorth = new Map<number, string[]>()
    for (const [term, worth] of terms) byWorth.set(worth, [...(byWorth.get(worth) ?? []), term])
    return [...byWorth].flatMap(([worth, group]) => {
      const beginning = group.length > MOST_NAMED ? unfinished : null
      const named = group.filter((term) => beginning === null || !term.startsWith(beginning) || isStopTerm(term))
      return Array.from({ length: IMPACT_STEPS }, (_, step) => {
        const lexemes = named.map((term) => termLexeme(term, step, inTitle))
        const others = beginning === null ? [] : [`${quoted(beginningLexeme(beginning, step, inTitle))}:*`]
        const query = [...(lexemes.length > 0 ? [anyOf(lexemes)] : []), ...others].join('|')
        return { part, query, impact: impactAt(step) * worth }
      })
    })
  })
}
