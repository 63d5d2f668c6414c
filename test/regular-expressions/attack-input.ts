import type { Hostile } from './hostile-inputs'

/** What a search for an attack may take, for one expression. The few that need longer have the inputs of `hostileInputs` alone. */
const MAX_MS = 1_000

/**
 * The text with which recheck, which compares the expression with the theory of automata, expects it to take long; null where it proves
 * that there is none, or where it cannot tell, as of expressions that look ahead or behind.
 */
export async function attackInput(expression: RegExp): Promise<Hostile | null> {
  // The part of recheck that is JavaScript; the others are programs for one system.
  process.env['RECHECK_BACKEND'] = 'pure'
  const { checkSync } = await import('recheck')
  // The types leave out the last: without it recheck runs the attack itself.
  const parameters = { checker: 'automaton' as const, timeout: MAX_MS, skipRecall: true }
  const { attack } = checkSync(expression.source, expression.flags.replace(/[dv]/g, ''), parameters) as {
    attack?: { pumps: { prefix: string; pump: string }[]; suffix: string }
  }
  const [first] = attack?.pumps ?? []
  if (!attack || !first) return null
  // An attack of a higher degree repeats several parts; they share the room that the text has.
  return { start: first.prefix, repeated: attack.pumps.map(({ pump }) => pump).join(''), end: attack.suffix }
}
