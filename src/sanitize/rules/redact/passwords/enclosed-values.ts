import { matchAt } from '../../../../kernel/text/match-at'
import type { Value } from './value'

/** Matches a value of an ODBC or ADO.NET connection string in braces, where `}}` is a brace of the value. */
const BRACES = /\{(?<it>(?:[^{}\n]|\}\}){1,200})\}(?=[;"'\s]|$)/y
/** Matches the default of a variable: `${DB_PASSWORD:-…}`. */
const DEFAULT =
  /\$\{\w{0,60}(?:pass|pwd|secret|token|key|cred)\w{0,20}(?::-|:=|:|-|=)(?<it>[^{}\s?+][^{}\s]{0,200})\}/iy
/** Matches a placeholder with spaces, and what follows it directly: `{{ name }}`, `<your password>`, `$(cat file)`. */
const TEMPLATE =
  /(?:\$\{\{?[^{}\n]{0,100}\}?\}|\$\([^()\n]{0,100}\)|\{\{[^{}\n]{0,100}\}\}|\{%[^%\n]{0,100}%\}|<%[^%\n]{0,100}%>|<[^<>\n]{1,100}>|\[[^[\]\n]{1,60}\])[^\s"'`<>;,()]{0,200}/y

/** Returns a value in the braces of a connection string, the default of a variable, or a placeholder that may contain spaces. */
export function readEnclosed(text: string, at: number): Value | null {
  const inner = matchAt(DEFAULT, text, at) ?? matchAt(BRACES, text, at)
  if (inner) {
    const value = inner.groups?.['it'] ?? ''
    const start = at + inner[0].lastIndexOf(value)
    const isBraces = inner[0].startsWith('{')
    return { start, end: start + value.length, quoted: true, ...(isBraces ? { written: inner[0] } : {}) }
  }
  const template = matchAt(TEMPLATE, text, at)
  return template ? { start: at, end: at + template[0].length, quoted: false } : null
}

/** Narrows a string that is a variable with a default to that default: `"${DB_PASSWORD:-…}"`. */
export function narrowToDefault(text: string, quoted: Value): Value {
  const found = matchAt(DEFAULT, text, quoted.start)
  const value = found?.groups?.['it'] ?? ''
  if (!found || quoted.start + found[0].length !== quoted.end) return quoted
  return { start: quoted.end - 1 - value.length, end: quoted.end - 1, quoted: true }
}
