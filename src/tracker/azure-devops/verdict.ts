import { type TrackerSaid, whatTrackerSaid } from './tracker-message'
import { WireItem } from './wire'

/** What the tracker's answer to one change means. */
export type Verdict =
  /** `wire` is the item after it, null where the answer does not show it. */
  | { kind: 'applied'; wire: WireItem | null }
  | { kind: 'conflict' | 'rejected'; message: string }
  /** Not carried out, for a reason that lies outside this change: worth sending alone. */
  | { kind: 'spoilt'; message: string }
  /** The tracker failed; what it did before can only be seen by reading. */
  | { kind: 'failed'; message: string }

const wholeBulkFailed = 'TF401321'
const staleCodes = new Set(['VS403351', 'TF26071'])
const staleTypes = new Set(['TestPatchOperationFailedException', 'WorkItemRevisionMismatchException'])

/** Judges a status and a body, be it of a single patch or of an entry of a bulk, where the body may be JSON in a string. */
export function verdictOf(status: number, body: unknown): Verdict {
  const content = typeof body === 'string' ? parsed(body) : body
  if (status >= 200 && status < 300) {
    const item = WireItem.safeParse(content)
    return { kind: 'applied', wire: item.success ? item.data : null }
  }
  const said = whatTrackerSaid(content)
  const message = said.text || `The tracker answered HTTP ${status}.`
  if (said.code === wholeBulkFailed || status === 429) return { kind: 'spoilt', message }
  if (status >= 500) return { kind: 'failed', message }
  return { kind: status === 412 || isStale(said) ? 'conflict' : 'rejected', message }
}

/** 409 has other causes too, so it is the kind of the error that decides. */
function isStale(said: TrackerSaid): boolean {
  return staleCodes.has(said.code) || staleTypes.has(said.typeKey)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return { message: text }
  }
}
