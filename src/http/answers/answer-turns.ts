import { FairQueue } from '../../kernel/work/fair-queue'

/** Answers with the long texts of many things that are read and written at a time. One more would only wait for the same processor. */
const AT_ONCE = 2

/** Waits for a turn, and returns what ends it. */
export interface Turns {
  begin(caller: string, signal: AbortSignal): Promise<() => void>
}

/** Lets the callers of large answers take turns, so that few of them are in memory as values. */
export class AnswerTurns implements Turns {
  readonly #waiting = new FairQueue<() => void>()
  #running = 0

  async begin(caller: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    if (this.#running < AT_ONCE) this.#running++
    else await this.#wait(caller, signal)
    return () => {
      const next = this.#waiting.takeNext()
      if (next) next()
      else this.#running--
    }
  }

  #wait(caller: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.remove(caller, begin)
        reject(signal.reason)
      }
      const begin = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#waiting.add(caller, begin)
    })
  }
}

/**
 * The turn of a page, which needs several answers at once until it is rendered. They share the turn: two pages that have one turn each and
 * wait for another one would wait for each other.
 */
export class PageTurn implements Turns {
  #turn: Promise<() => void> | null = null

  constructor(private readonly turns: Turns) {}

  async begin(caller: string, signal: AbortSignal): Promise<() => void> {
    this.#turn ??= this.turns.begin(caller, signal)
    await this.#turn
    return () => {}
  }

  /** To be called when no answer is needed. A page that failed meanwhile does not wait for its turn. */
  end(): void {
    this.#turn?.then(
      (end) => end(),
      () => {},
    )
  }
}
