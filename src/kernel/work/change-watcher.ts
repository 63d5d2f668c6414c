/** What must be looked at after a change of the database. An error ends nothing: the next look may succeed. */
export interface Watched {
  look(): Promise<void>
}

/** A database, by what identifies its state: the same object means the same rows. Null if only a transaction can tell. */
export interface Versioned {
  version?(): object | null
}

export interface WatchTimes {
  /** How often the database is asked whether it has changed. */
  everyMs: number
  /** After this time it is looked at even if the database has not changed. */
  anywayMs: number
}

interface Seen {
  version: object | null
  at: number
}

/** Looking takes at most a small share of the time of the process, even while everything changes all the time. */
const PAUSE_FACTOR = 10
const MAX_PAUSE_MS = 150

/** One loop looks for changes for all that wait for them. It runs while there is something to look at. */
export class ChangeWatcher {
  readonly #watched = new Map<Watched, Seen>()
  #isRunning = false

  constructor(
    private readonly db: Versioned,
    private readonly times: WatchTimes,
  ) {}

  /** Returns how to end it. */
  add(watched: Watched): () => void {
    this.#watched.set(watched, { version: null, at: performance.now() })
    if (!this.#isRunning) {
      this.#isRunning = true
      void this.#run()
    }
    return () => void this.#watched.delete(watched)
  }

  async #run(): Promise<void> {
    const { everyMs, anywayMs } = this.times
    while (this.#watched.size > 0) {
      const startedAt = performance.now()
      const version = this.db.version?.() ?? null
      for (const [watched, seen] of this.#watched) {
        const lookedAt = performance.now()
        if (version !== null && version === seen.version && lookedAt - seen.at < anywayMs) continue
        const isDone = await watched.look().then(
          () => true,
          () => false,
        )
        seen.version = isDone ? version : null
        seen.at = lookedAt
        await pause(Math.min(MAX_PAUSE_MS, (performance.now() - lookedAt) * PAUSE_FACTOR))
      }
      await pause(Math.max(0, startedAt + everyMs - performance.now()))
    }
    this.#isRunning = false
  }
}

/** Keeps no process running. */
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
