import { StudioError } from './errors'

/** How long one turn of the event loop may compute before other calls get theirs, in milliseconds. */
const TURN_MS = 25

/** When the current turn of the event loop was first measured, in milliseconds; null if it was not yet. */
let turnStartedAt: number | null = null

/** Whether the current turn has computed for so long that other calls should get theirs. */
export function isTurnOver(): boolean {
  if (turnStartedAt === null) {
    turnStartedAt = performance.now()
    setImmediate(() => {
      turnStartedAt = null
    })
    return false
  }
  return performance.now() - turnStartedAt > TURN_MS
}

/** Resolves in the next turn of the event loop, after the calls that wait for one. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Runs work that yields after each small step, and lets other calls run between its steps. The signal ends it. */
export async function runInTurns<Result>(work: Generator<void, Result>, signal?: AbortSignal): Promise<Result> {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    if (!isTurnOver()) continue
    await nextTurn()
    signal?.throwIfAborted()
  }
}

/** The same without a pause, for callers that cannot wait. */
export function runAtOnce<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** For how long an operation may compute if it does not say, in milliseconds. */
export const DEFAULT_COMPUTING_MS = 10_000

/** What the computing of one call may take. Time in which the call waits does not count. */
export class Budget {
  readonly #limitMs: number
  #usedMs = 0
  #lastTurn: number | null = null
  #lastAt = 0

  constructor(limitMs: number) {
    this.#limitMs = limitMs
  }

  /** Counts the time since the last count in the same turn. Throws `too_complex` if the call has computed for too long. */
  count(): void {
    const now = performance.now()
    if (turnStartedAt !== null && this.#lastTurn === turnStartedAt) this.#usedMs += now - this.#lastAt
    this.#lastTurn = turnStartedAt
    this.#lastAt = now
    if (this.#usedMs > this.#limitMs) throw createTooComplexError(this.#limitMs)
  }

  /** What is left, in milliseconds. */
  get leftMs(): number {
    return Math.max(0, this.#limitMs - this.#usedMs)
  }
}

export function createTooComplexError(limitMs: number): StudioError {
  return new StudioError('too_complex', `This call needs more than ${Math.ceil(limitMs / 1000)} s of computing time.`, {
    hint: 'Ask for less in one call: shorter texts, fewer entries or fewer words.',
  })
}

/**
 * To be called within long work: lets other calls run if this turn of the event loop is over, and ends the call if it was aborted or has
 * computed for too long.
 */
export async function checkpoint({ signal, budget }: { signal: AbortSignal; budget?: Budget }): Promise<void> {
  const isOver = isTurnOver()
  budget?.count()
  if (!isOver) return
  await nextTurn()
  signal.throwIfAborted()
}
