import { terminalSafe } from './terminal-safe'

/** A result as one JSON value, fit for a terminal. */
export function wholeJson(result: unknown): string {
  return `${terminalSafe(JSON.stringify(result, null, 2))}\n`
}
