export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** An instant as every interface writes it: ISO 8601 in UTC with milliseconds. */
export function formatInstant(epochMs: number): string {
  return new Date(epochMs).toISOString()
}
