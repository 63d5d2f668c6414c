import type { ItemChange } from '../tracker'
import { judgeAfterSilence } from './after-silence'
import type { Client } from './client'
import { alone, type Delivery, together } from './delivery'
import { TrackerFault } from './fault'
import { signalForFindingOut } from './grace'
import { inParallel } from './in-parallel'
import type { ItemReader } from './item-reader'
import type { Verdict } from './verdict'
import type { WireItem } from './wire'

/** What has become of a change. `unchanged`: the item stands as it did, so the change may be sent again. */
export type Fate = Verdict | { kind: 'unchanged' | 'unknown' | 'notAttempted'; message: string }

export const interruptedBefore = 'Interrupted before it was sent.'

/** A change of which it is not known what became of it, and why not. */
interface Doubt {
  change: ItemChange
  message: string
}

interface Round {
  fates: Fate[]
  /** True where what stands unchanged is worth sending again. */
  again: boolean
}

/**
 * Sends changes and finds out what became of them. What may have been received is never sent again before the items
 * were read; that every change tests its revision keeps even then a late first one from being applied twice.
 */
export class Sending {
  readonly #client: Client
  readonly #reader: ItemReader
  readonly #signal: AbortSignal
  /** True once a change has, or may have, been carried out or judged. */
  #begun = false
  /** Why nothing more is sent. */
  #stopped: string | null = null

  constructor(client: Client, reader: ItemReader, signal: AbortSignal) {
    this.#client = client
    this.#reader = reader
    this.#signal = signal
  }

  /** A fate for each change. Throws a fault that concerns them all, as long as none has begun. */
  async send(changes: readonly ItemChange[]): Promise<Fate[]> {
    if (changes.length === 1) return [await this.#alone(changes[0]!)]
    const fates = await this.#sent(changes, together)
    const again = fates.flatMap((fate, i) => (fate.kind === 'spoilt' || fate.kind === 'unchanged' ? [i] : []))
    const limit = this.#client.limits.inFlight
    // One goes ahead: a fault that concerns them all is met before several are on their way.
    for (const part of [again.slice(0, 1), again.slice(1)]) {
      await inParallel(part, { limit, signal: this.#signal }, async (i) => {
        fates[i] = await this.#alone(changes[i]!)
      })
    }
    return fates
  }

  async #alone(change: ItemChange): Promise<Fate> {
    const fate = (await this.#sent([change], alone))[0]!
    const isRefused = fate.kind === 'spoilt' || fate.kind === 'unchanged'
    return isRefused ? { kind: 'rejected', message: fate.message } : fate
  }

  async #sent(changes: readonly ItemChange[], delivery: Delivery): Promise<Fate[]> {
    const fates = new Map<ItemChange, Fate>()
    let pending = changes
    for (let attempt = 1; pending.length > 0; attempt += 1) {
      const round = await this.#round(pending, delivery, attempt)
      for (const [i, change] of pending.entries()) fates.set(change, round.fates[i]!)
      pending = round.again ? pending.filter((_, i) => round.fates[i]!.kind === 'unchanged') : []
    }
    return changes.map((change) => fates.get(change)!)
  }

  async #round(changes: readonly ItemChange[], delivery: Delivery, attempt: number): Promise<Round> {
    const obstacle = this.#stopped ?? (this.#signal.aborted ? interruptedBefore : null)
    if (obstacle !== null) return { fates: this.#all(changes, 'notAttempted', obstacle), again: false }
    const { answer, fault } = await this.#asked(changes, delivery, attempt)
    const isJudged =
      fault === null || (answer !== null && answer.status >= 400 && !delivery.turnedAwayBy.has(fault.code))
    if (answer !== null && isJudged) {
      return { fates: await this.#settled(changes, delivery.verdicts(answer, changes)), again: false }
    }
    if (fault!.effect === 'none') return { fates: this.#refused(changes, fault!), again: false }
    this.#begun = true
    const fates = await this.#judged(changes.map((change) => ({ change, message: fault!.message })))
    const again = answer?.status === 503 && attempt < this.#client.limits.attempts
    if (again) return { fates, again }
    this.#stopped = `Not sent after: ${fault!.message}`
    return { fates: fates.map((fate) => (fate.kind === 'unchanged' ? { ...fate, kind: 'unknown' } : fate)), again }
  }

  async #asked(changes: readonly ItemChange[], delivery: Delivery, attempt: number) {
    try {
      if (attempt > 1) await this.#client.pause(attempt - 1, this.#signal)
      return await this.#client.write(delivery.ask(changes), this.#signal)
    } catch (error) {
      if (error instanceof TrackerFault) return { answer: null, fault: error }
      throw error
    }
  }

  /** Nothing of it was carried out, and nothing that follows would be. */
  #refused(changes: readonly ItemChange[], fault: TrackerFault): Fate[] {
    if (this.#signal.aborted) return this.#all(changes, 'notAttempted', interruptedBefore)
    if (!this.#begun) throw fault
    this.#stopped = `Not sent after: ${fault.message}`
    return this.#all(changes, 'notAttempted', this.#stopped)
  }

  /** Verdicts as they stand, but where the tracker failed: there the item itself is asked. */
  async #settled(changes: readonly ItemChange[], verdicts: readonly Verdict[]): Promise<Fate[]> {
    if (verdicts.some((verdict) => verdict.kind !== 'spoilt')) this.#begun = true
    const failed = verdicts.flatMap((verdict, i) =>
      verdict.kind === 'failed' ? [{ i, message: verdict.message }] : [],
    )
    const fates: Fate[] = [...verdicts]
    const judged = await this.#judged(failed.map(({ i, message }) => ({ change: changes[i]!, message })))
    for (const [at, { i }] of failed.entries()) fates[i] = judged[at]!
    return fates
  }

  /** Reads the items and compares. Where that fails too, nothing can be told. */
  async #judged(doubts: readonly Doubt[]): Promise<Fate[]> {
    if (doubts.length === 0) return []
    const ids = [...new Set(doubts.map(({ change }) => change.id))]
    const signal = signalForFindingOut(this.#signal, this.#client.limits)
    const found = await this.#reader.wires(ids, signal).catch((error: unknown) => {
      if (error instanceof TrackerFault) return []
      throw error
    })
    const wires = new Map(found.map(({ id, wire }) => [id, wire]))
    return doubts.map((doubt) => fateSeen(doubt, wires.get(doubt.change.id) ?? null))
  }

  #all(changes: readonly ItemChange[], kind: 'unknown' | 'notAttempted', message: string): Fate[] {
    return changes.map(() => ({ kind, message }))
  }
}

function fateSeen({ change, message }: Doubt, wire: WireItem | null): Fate {
  if (wire === null) return { kind: 'unknown', message: `${message} The item could not be read since.` }
  const rev = `revision ${wire.rev}`
  switch (judgeAfterSilence(change, wire)) {
    case 'applied':
      return { kind: 'applied', wire }
    case 'unchanged':
      return { kind: 'unchanged', message: `${message} Read again, the item still has ${rev}.` }
    case 'overtaken':
      return { kind: 'conflict', message: `${message} Read again, the item has ${rev}, made by another change.` }
    case 'unclear':
      return { kind: 'unknown', message: `${message} Read again, the item has ${rev}; whose it is cannot be told.` }
  }
}
