import { type ReasonedChange, reasonedChanges } from '../../facilities/rules/facility'
import type { ChangeKind } from '../../visits/rules/appointment-steps'

export interface ReasonCount {
  change: ReasonedChange
  /** Null for changes without a reason. */
  reason: string | null
  count: number
}

export interface ReasonedHistory {
  kind: ChangeKind
  details: { reason?: string | null } | null
}

/** Counts cancellations, moves, no-shows and trucks that were turned away by their reasons. */
export class ReasonCounts {
  readonly #counts = new Map<string, ReasonCount>()

  /** Adds the changes of an appointment, oldest first. A step that was undone does not count. */
  add(history: readonly ReasonedHistory[]): void {
    const standing: ReasonedHistory[] = []
    for (const change of history) {
      if (change.kind !== 'undone') standing.push(change)
      else
        standing.splice(
          standing.findLastIndex(({ kind }) => kind !== 'rescheduled' && kind !== 'cancelled'),
          1,
        )
    }
    for (const { kind, details } of standing) if (isReasoned(kind)) this.#count(kind, details?.reason ?? null)
  }

  /** By the kind of change, the most frequent reason first. */
  get list(): ReasonCount[] {
    const order = (entry: ReasonCount) => reasonedChanges.indexOf(entry.change)
    return [...this.#counts.values()].sort(
      (a, b) => order(a) - order(b) || b.count - a.count || ((a.reason ?? '') < (b.reason ?? '') ? -1 : 1),
    )
  }

  #count(change: ReasonedChange, reason: string | null): void {
    const key = JSON.stringify([change, reason])
    const entry = this.#counts.get(key) ?? { change, reason, count: 0 }
    entry.count += 1
    this.#counts.set(key, entry)
  }
}

function isReasoned(kind: ChangeKind): kind is ReasonedChange {
  return (reasonedChanges as readonly string[]).includes(kind)
}
