import type { Hostile } from './hostile-inputs'

/** What a search for an attack may take, for one expression. The few that need longer have the inputs of `hostileInputs` alone. */
const MOST_MS = 3_000

/**
 * The text with which recheck, which compares the expression with the theory of automata, expects it to take long; null where it proves
 * that there is none, or where it cannot tell, as of expressions that look ahead or behind.
 */
export async function attackInput(expression: RegExp): Promise<Hostile | null> {
  // The part of recheck that is JavaScript; the others are programs for one system.
  process.env['RECHECK_BACKEND'] = 'pure'
  const { checkSync } = await import('recheck')
  const { attack } = checkSync(expression.source, expression.flags.replace(/[dv]/g, ''), {
    checker: 'automaton',
    timeout: MOST_MS,
    skipRecall: true,
  }) as { attack?: { pumps: { prefix: string; pump: string }[]; suffix: string } }
  const [first, ...others] = attack?.pumps ?? []
  if (!attack || !first) return null
  // Those of a higher degree repeat several parts; as many times each as the text has room for.
  return others.length === 0
    ? { start: first.prefix, repeated: first.pump, end: attack.suffix }
    : { start: first.prefix, repeated: first.pump + others.map(({ pump }) => pump).join(''), end: attack.suffix }
}
