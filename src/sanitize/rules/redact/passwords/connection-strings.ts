import type { Label } from './value'

/** Matches keys that connection strings have beside the one of the password. */
const OTHER_KEY =
  /(?:^|[;"'\s])(?:server|data source|host|port|addr(?:ess)?|user(?: ?id| ?name)?|uid|database|initial catalog|provider|driver|dsn|encrypt|trusted_connection|integrated security|persist security info|pooling|ssl ?mode|(?:connect(?:ion)? )?timeout|application name)\s?=/i
const MAX_VALUE_CHARACTERS = 100
const NEAR_CHARACTERS = 80

/**
 * Returns where the value of a connection string ends: at its semicolon, because spaces and quotation marks within it are part of it.
 * Returns null if the text is none. `end` is where the value ends as a word.
 */
export function endOfPair(text: string, { start, isPassword }: Label, at: number, end: number): number | null {
  if (!isPassword || text[at - 1] !== '=' || !/[\s"'`]/.test(text[end] ?? '')) return null
  const rest = /^[^;=[\n]{1,100};/.exec(text.slice(end, end + MAX_VALUE_CHARACTERS))?.[0]
  if (rest === undefined) return null
  const isApostrophe = /^['`][\p{L}\p{N}]/u.test(rest)
  const near = `${text.slice(Math.max(0, start - NEAR_CHARACTERS), start)}\n${text.slice(end + rest.length, end + rest.length + NEAR_CHARACTERS)}`
  return isApostrophe || OTHER_KEY.test(near) ? end + rest.length - 1 : null
}
