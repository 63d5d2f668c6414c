import type { Invocation, Terminal } from '../start/invocation'
import { wrapText } from './wrap-text'

/** Prints what is no result on standard error, wrapped to the window of the person who reads it. */
export function writeMessage(terminal: Terminal, text: string): void {
  terminal.err(`${wrapText(text, terminal.canAsk ? terminal.width : null)}\n`)
}

/** Prints a message unless the user wants none. */
export function writeNotice({ terminal, flags }: Pick<Invocation, 'terminal' | 'flags'>, text: string): void {
  if (!flags.quiet) writeMessage(terminal, text)
}
