import { DAY_MS, HOUR_MS } from '../../kernel/time'

const UNITS_MS = { h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS }

/** The last instant that is written with a year of four digits. */
const MAX_INSTANT_MS = Date.parse('9999-12-31T23:59:59.999Z')

export type Expiry = { at: number } | { refusal: string }

/** When a credential ends: a time from now (`12h`, `30d`, `8w`) or an instant (ISO 8601 with its offset). Epoch milliseconds. */
export function parseExpiry(text: string, now: number): Expiry {
  const at = parseDuration(text, now) ?? parseInstant(text)
  if (at === null || Number.isNaN(at))
    return { refusal: 'must be a time from now, as 30d or 12h, or an instant, as 2027-01-31T00:00:00Z' }
  if (at <= now) return { refusal: 'must be in the future' }
  return at > MAX_INSTANT_MS ? { refusal: 'must be before the year 10000' } : { at }
}

function parseDuration(text: string, now: number): number | null {
  const span = /^(\d{1,6})([hdw])$/.exec(text)
  return span ? now + Number(span[1]) * UNITS_MS[span[2] as keyof typeof UNITS_MS] : null
}

function parseInstant(text: string): number | null {
  const parts = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/.exec(text)
  if (!parts) return null
  // Date.parse moves 30 February into March.
  const day = new Date(`${parts[1]}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(parts[1]!) ? Date.parse(text) : null
}
