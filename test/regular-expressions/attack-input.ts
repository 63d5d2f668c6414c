import type { Hostile } from './hostile-inputs'

/** The time limit of a search for an attack on one expression. The few that need longer are only tested with `hostileInputs`. */
const MAX_MS = 1_000

/**
 * The text that is slow to match according to recheck, which analyzes the expression by automata theory; null if recheck proves
 * that there is none, or cannot decide, as for expressions with lookahead or lookbehind.
 */
export async function attackInput(expression: RegExp): Promise<Hostile | null> {
  // The JavaScript backend of recheck. The other backends are platform-specific programs.
  process.env['RECHECK_BACKEND'] = 'pure'
  const { check } = await import('recheck')
  // The type lacks the last option, without which recheck runs the attack itself.
  const parameters = { checker: 'automaton' as const, timeout: MAX_MS, skipRecall: true }
  const { attack } = (await check(expression.source, expression.flags.replace(/[dv]/g, ''), parameters)) as {
    attack?: { pumps: { prefix: string; pump: string }[]; suffix: string }
  }
  const [first] = attack?.pumps ?? []
  if (!attack || !first) return null
  // An attack of a higher degree repeats several parts, which share the length of the text.
  return { start: first.prefix, repeated: attack.pumps.map(({ pump }) => pump).join(''), end: attack.suffix }
}
