import { type ReasonedChange, reasonedChanges } from '../../facilities/rules/facility'
import { type ChangeKind, listVisits, type StepChange } from '../../visits/rules/appointment-steps'

export interface ReasonCount {
  change: ReasonedChange
  /** Null for changes without a reason. */
  reason: string | null
  count: number
}

export interface ReasonedHistory extends StepChange {
  details: (StepChange['details'] & { reason?: string | null }) | null
}

/** The kinds of changes that have a reason, by what the facility lists reasons for. A swap moves both appointments. */
const reasonedAs: Partial<Record<ChangeKind, ReasonedChange>> = {
  ...Object.fromEntries(reasonedChanges.map((change) => [change, change])),
  swapped: 'rescheduled',
}

/** Counts cancellations, moves, no-shows and trucks that were turned away by their reasons. */
export class ReasonCounts {
  readonly #counts = new Map<string, ReasonCount>()

  /** Adds the changes of an appointment, oldest first. A step that was undone does not count, and one that was released later counts once. */
  add(history: readonly ReasonedHistory[]): void {
    const moves = history.filter(({ kind }) => ['cancelled', 'rescheduled', 'swapped'].includes(kind))
    const steps = listVisits(history).flatMap((taken) => taken.filter(({ kind }, i) => kind !== taken[i + 1]?.kind))
    for (const { kind, details } of [...moves, ...steps]) {
      const change = reasonedAs[kind]
      if (change !== undefined) this.#count(change, details?.reason ?? null)
    }
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
