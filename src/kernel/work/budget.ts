import { StudioError } from '../errors'

/** How long one turn of the event loop may compute before other calls get theirs, in milliseconds. */
const TURN_MS = 25

/** When the current turn of the event loop was first measured, in milliseconds; null if it was not yet. */
let turnStartedAt: number | null = null

/** Whether the current turn has computed for so long that other calls should get theirs. */
export function isTurnOver(): boolean {
  if (turnStartedAt === null) {
    beginTurn()
    return false
  }
  return performance.now() - turnStartedAt > TURN_MS
}

/** From now on, this turn is measured. */
function beginTurn(): void {
  const startedAt = performance.now()
  turnStartedAt = startedAt
  setImmediate(() => {
    if (turnStartedAt === startedAt) turnStartedAt = null
  })
}

/** The calls that wait for a turn. */
const waiting: (() => void)[] = []

/**
 * Resolves in a later turn of the event loop, after the calls that wait for one; before them if others wait for the caller. A turn resumes
 * as many calls as it has time for: with one in each turn, those that wait would get less time than those that come meanwhile.
 */
export function nextTurn({ isAwaited = false }: { isAwaited?: boolean } = {}): Promise<void> {
  return new Promise((resolve) => {
    if (isAwaited) waiting.unshift(resolve)
    else waiting.push(resolve)
    setImmediate(resumeNext)
  })
}

/** Is called once in a turn for each call that waits, when the call that was resumed before has paused again or ended. */
function resumeNext(): void {
  if (isTurnOver()) setImmediate(resumeNext)
  else waiting.shift()?.()
}

/** Lets other calls run if this turn of the event loop is over. `checkpoint` also knows the call. */
export async function letOthersRun(): Promise<void> {
  if (isTurnOver()) await nextTurn()
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

/**
 * What the computing of one call may take. Time in which the call waits does not count, and neither does what it computes between the end
 * of such a wait and the next `checkpoint`.
 */
export class Budget {
  #usedMs = 0
  #lastTurn: number | null = null
  #lastAt = 0

  constructor(readonly limitMs: number) {
    this.start()
  }

  /** From now on, the call computes. */
  start(): void {
    // Begins to measure the turn, if no call has done so.
    isTurnOver()
    this.#lastTurn = turnStartedAt
    this.#lastAt = performance.now()
  }

  /** From now on, the call has all of its time again. */
  renew(): void {
    this.#usedMs = 0
    this.start()
  }

  /** Counts the time since the last count in the same turn. Throws `too_complex` if the call has computed for too long. */
  count(): void {
    const now = performance.now()
    const isSameTurn = this.#lastTurn !== null && this.#lastTurn === turnStartedAt
    this.#lastTurn = turnStartedAt
    if (isSameTurn) this.add(now - this.#lastAt)
    this.#lastAt = now
    if (this.#usedMs > this.limitMs) throw createTooComplexError(this.limitMs)
  }

  /** Adds time for which the call has computed elsewhere, in milliseconds. */
  add(ms: number): void {
    this.#usedMs += ms
  }

  /** What is left, in milliseconds. */
  get leftMs(): number {
    return Math.max(0, this.limitMs - this.#usedMs)
  }
}

/** The same call in a transaction for which others wait: `checkpoint` ends it when that takes too long, with all pauses. */
export function withinTransaction<Call extends { budget?: Budget }>(call: Call): Call {
  const { budget } = call
  if (!budget || budget.leftMs === Number.POSITIVE_INFINITY) return call
  return { ...call, budget: new Deadline(Math.min(budget.leftMs, DEFAULT_COMPUTING_MS)) }
}

class Deadline extends Budget {
  readonly #end = performance.now() + this.limitMs

  override count(): void {
    if (performance.now() > this.#end) throw createTooComplexError(this.limitMs)
  }
}

export function createTooComplexError(limitMs: number): StudioError {
  return new StudioError('too_complex', `This call needs more than ${Math.ceil(limitMs / 1000)} s of computing time.`, {
    hint: 'Send less in one call: shorter texts, fewer entries or fewer words.',
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
  budget?.start()
  signal.throwIfAborted()
}
