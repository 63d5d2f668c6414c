import { escapeForTerminal } from './terminal-safe'

/** A result as one JSON value, fit for a terminal. */
export function formatJson(result: unknown): string {
  return `${escapeForTerminal(JSON.stringify(result, null, 2))}\n`
}
