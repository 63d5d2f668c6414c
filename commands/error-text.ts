import type { StudioError } from '../src/kernel'
import { colorsFor } from './colors'
import { formatDetails } from './day-reasons'
import { fold } from './fold'
import { printable } from './layout'
import type { Terminal } from './terminal'

/** An error as a person reads it: what, which fields, and the mend. */
export function errorText(error: StudioError, terminal: Terminal, noColor: boolean): string {
  const colors = colorsFor('err', { isTty: terminal.canAsk, env: terminal.env, noColor })
  const lines = [`${colors.bad('error:')} ${printable(error.message)}`]
  const unsaid = error.details.filter((detail) => !error.message.includes(detail.message))
  for (const line of formatDetails(unsaid)) lines.push(`  ${printable(line)}`)
  if (error.hint) lines.push(`${colors.accent('hint:')} ${printable(String(error.hint))}`)
  return `${fold(lines.join('\n'), terminal.canAsk ? terminal.width : null)}\n`
}
