import { fold } from './fold'
import type { Terminal } from './invocation'

/** Prints what is no result on standard error, folded to the window of the person who reads it. */
export function writeMessage(terminal: Terminal, text: string): void {
  terminal.err(`${fold(text, terminal.canAsk ? terminal.width : null)}\n`)
}
