import { helpTextFor, helpWidth } from './help'
import type { Terminal } from './invocation'
import { loadManifest } from './manifest'

/**
 * Help that names no command, from the list of commands alone. It is bundled as one file. False means that the full program must run the
 * command line, and report its errors.
 */
export async function quickHelp(argv: readonly string[], terminal: Terminal): Promise<boolean> {
  const text = helpTextFor(argv, await loadManifest(), helpWidth(terminal))
  if (text === null) return false
  terminal.out(text)
  return true
}
