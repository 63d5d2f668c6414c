import * as z from 'zod'

/** A time in a response, which can be read. */
export const WireInstant = z.string().refine((time) => toInstantOrNull(time) !== null, 'must be a time')

/** A time in ISO 8601 UTC with milliseconds. Some trackers write time zones without a colon: `+0000`. */
export function toInstant(time: string): string {
  return new Date(time.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')).toISOString()
}

/** Null for a time that is missing or that cannot be read. */
export function toInstantOrNull(time: string | null | undefined): string | null {
  const at = Date.parse((time ?? '').replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}
