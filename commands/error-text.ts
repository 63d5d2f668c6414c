import type { StudioError } from '../src/kernel'
import { printable } from './layout'
import { paintFor } from './paint'
import type { Terminal } from './terminal'

/** An error as a person reads it: what, which fields, and the mend. */
export function errorText(error: StudioError, terminal: Terminal, noColor: boolean): string {
  const paint = paintFor('err', { isTty: terminal.canAsk, env: terminal.env, noColor })
  const lines = [`${paint.bad('error:')} ${printable(error.message)}`]
  for (const detail of error.details) {
    if (!error.message.includes(detail.message)) lines.push(`  ${printable(`${detail.path} ${detail.message}`.trim())}`)
  }
  if (error.hint) lines.push(`${paint.accent('hint:')} ${printable(error.hint)}`)
  return `${lines.join('\n')}\n`
}
