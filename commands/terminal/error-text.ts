import type { ErrorDetail, StudioError } from '../../src/kernel'
import { DAY_MS } from '../../src/kernel/time'
import type { Terminal } from '../start/invocation'
import { colorsFor } from './colors'
import { printable } from './layout'
import { wrapText } from './wrap-text'

/** An error for the terminal: its message, its details and its hint. */
export function errorText(error: StudioError, terminal: Terminal, noColor: boolean): string {
  const colors = colorsFor('err', { isTty: terminal.canAsk, env: terminal.env, noColor })
  const lines = [`${colors.bad('error:')} ${printable(error.message)}`]
  const unsaid = error.details.filter((detail) => !error.message.includes(detail.message))
  for (const line of formatDetails(unsaid)) lines.push(`  ${printable(line)}`)
  if (error.hint) lines.push(`${colors.accent('hint:')} ${printable(String(error.hint))}`)
  return `${wrapText(lines.join('\n'), terminal.canAsk ? terminal.width : null)}\n`
}

/** Why a date has no slot: `2026-11-22 (Sunday), Door 1: no operating hours on this date`. */
interface DayReason extends ErrorDetail {
  date: string
  reason: string
}

function isDayReason(detail: ErrorDetail): detail is DayReason {
  return typeof detail['date'] === 'string' && typeof detail['reason'] === 'string'
}

/** The details of an error, a line each. A reason that holds on several days is one line with these days. */
export function formatDetails(details: readonly ErrorDetail[]): string[] {
  const days = details.filter(isDayReason)
  if (days.length < 2) return details.map(({ path, message }) => `${path} ${message}`.trim())
  const others = details
    .filter((detail) => !isDayReason(detail))
    .map(({ path, message }) => `${path} ${message}`.trim())
  const dates = new Map<string, string[]>()
  for (const { message, date } of days) {
    const what = message.slice(message.indexOf(', ') + 2)
    dates.set(what, [...(dates.get(what) ?? []), date])
  }
  return [...others, ...[...dates].map(([what, on]) => `${what}: ${formatDateRuns(on).join(', ')}`)]
}

/** `2026-11-16 to 2026-11-20` for dates that follow each other. */
function formatDateRuns(dates: readonly string[]): string[] {
  const runs: [first: string, last: string][] = []
  for (const date of [...dates].sort()) {
    const run = runs.at(-1)
    if (run && Date.parse(date) - Date.parse(run[1]) <= DAY_MS) run[1] = date
    else runs.push([date, date])
  }
  return runs.map(([first, last]) => (first === last ? first : `${first} to ${last}`))
}
