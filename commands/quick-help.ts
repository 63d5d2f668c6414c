import { helpTextFor, helpWidth } from './help'
import { loadManifest } from './manifest'
import { processTerminal } from './terminal'

/**
 * Help that names no command, out of the list of commands alone: the build makes one file of this. False leaves the command line to
 * the ordinary way, which also tells what is wrong with it.
 */
export async function quickHelp(argv: readonly string[], terminal = processTerminal()): Promise<boolean> {
  const text = helpTextFor(argv, await loadManifest(), helpWidth(terminal))
  if (text === null) return false
  terminal.out(text)
  return true
}
