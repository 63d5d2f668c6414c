import type { ErrorCode } from '../../kernel'
import type { ItemChange } from '../tracker'
import type { Answer, Ask } from './answer'
import { patchOf, patchType } from './patch'
import { type Verdict, verdictOf } from './verdict'
import { WireList } from './wire'

/** A way to send changes: many in one request, or one alone. */
export interface Delivery {
  /** Faults by which the tracker turns the sender away, rather than judging what was sent. */
  turnedAwayBy: ReadonlySet<ErrorCode>
  ask(changes: readonly ItemChange[]): Ask
  /** What the answer says of each change, in their order. */
  verdicts(answer: Answer, changes: readonly ItemChange[]): Verdict[]
}

const atTheDoor: ErrorCode[] = ['tracker_token', 'tracker_throttled', 'tracker_unavailable', 'tracker_timeout']

/** The address of the outer request names no project, and neither do those of the inner ones. */
export const together: Delivery = {
  turnedAwayBy: new Set([...atTheDoor, 'tracker_forbidden']),
  ask: (changes) => ({
    method: 'PATCH',
    path: '/_apis/wit/$batch',
    body: changes.map((change) => ({
      method: 'PATCH',
      uri: `${pathOf(change)}?$expand=relations&api-version=7.1`,
      headers: { 'Content-Type': patchType },
      body: patchOf(change),
    })),
  }),
  verdicts(answer, changes) {
    const list = WireList.safeParse(answer.json)
    if (answer.status >= 300 || !list.success) return changes.map(() => ofWholeBulk(answer))
    const verdicts = changes.map((_, i) => ofEntry(list.data.value[i]))
    // A refusal names no item, so only their order tells whose it is: where one is out of place, none can be trusted.
    const isOutOfOrder = verdicts.some((verdict, i) => isOfOther(verdict, changes[i]!))
    return isOutOfOrder
      ? changes.map(() => ({ kind: 'failed', message: 'The tracker mixed up its answers.' }))
      : verdicts
  },
}

/** Here a 403 is about the item: its owner may not save below that area. */
export const alone: Delivery = {
  turnedAwayBy: new Set(atTheDoor),
  ask: ([change]) => ({
    method: 'PATCH',
    path: pathOf(change!),
    query: { $expand: 'relations' },
    body: patchOf(change!),
    contentType: patchType,
  }),
  verdicts: (answer) => [verdictOf(answer.status, answer.json)],
}

function pathOf({ id }: ItemChange): string {
  return `/_apis/wit/workitems/${id}`
}

/** A server that does not take bulks refuses this one unread; one that failed may have carried out a part of it. */
function ofWholeBulk(answer: Answer): Verdict {
  const message = `The tracker did not take the changes together (HTTP ${answer.status}).`
  return { kind: answer.status >= 400 && answer.status < 500 ? 'spoilt' : 'failed', message }
}

function ofEntry(entry: unknown): Verdict {
  const { code, body } = (entry ?? {}) as { code?: unknown; body?: unknown }
  return typeof code === 'number'
    ? verdictOf(code, body)
    : { kind: 'failed', message: 'The tracker did not answer this change.' }
}

function isOfOther(verdict: Verdict, change: ItemChange): boolean {
  return verdict.kind === 'applied' && verdict.wire !== null && verdict.wire.id !== change.id
}
