/** What a snapshot says of the state that the item was in. Moments are ISO 8601 UTC with milliseconds, null where it does not say. */
export interface PastState {
  state: string
  /** When the item was last changed, as of the snapshot. */
  changedAt: string | null
  /** Since when it was in this state. */
  stateSince: string | null
  /** When work on it began, as the tracker keeps it. */
  activatedAt: string | null
  closedAt: string | null
  createdAt: string | null
}

/** The fields of a snapshot stand under the tracker's own names, of which the last part says what they are. */
export function parsePastState(fields: Readonly<Record<string, unknown>>): PastState {
  const named = new Map<string, unknown>()
  for (const name of Object.keys(fields).sort().reverse())
    named.set(name.slice(name.lastIndexOf('.') + 1), fields[name])
  const state = named.get('State')
  return {
    state: typeof state === 'string' ? state : '',
    changedAt: parseInstant(named.get('ChangedDate')),
    stateSince: parseInstant(named.get('StateChangeDate')),
    activatedAt: parseInstant(named.get('ActivatedDate')),
    closedAt: parseInstant(named.get('ClosedDate')),
    createdAt: parseInstant(named.get('CreatedDate')),
  }
}

/** A date without a value is told as one of the far past or future by some servers. */
function parseInstant(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const moment = new Date(/T[\d:.]+$/.test(value) ? `${value}Z` : value)
  const year = moment.getUTCFullYear()
  return year >= 1970 && year < 9000 ? moment.toISOString() : null
}
