import type { Turn } from './backing'
import type { Disk } from './disk'
import { placeSnapshot } from './place-snapshot'
import type { Replica } from './replica'
import { isOlder } from './snapshot'

/** A process that lives so long is taken for one that goes on; a shorter one folds when it ends. */
const SOON_MS = 1_000
/** After one that failed, as for want of space. */
const LATER_MS = 60_000

/**
 * When the log is folded into a new snapshot: by a process that has written, when a segment is closed. It is never urgent,
 * nothing waits for it, and one that fails is left to the next.
 */
export class Folding {
  readonly #replica: Replica
  readonly #options: { disk: Disk; turn: Turn; foldHere: boolean }
  #hasWritten = false
  #timer: NodeJS.Timeout | null = null
  #running: Promise<void> | null = null
  #waitMs = SOON_MS

  constructor(replica: Replica, options: { disk: Disk; turn: Turn; foldHere: boolean }) {
    this.#replica = replica
    this.#options = options
  }

  noteCommit(): void {
    this.#hasWritten = true
    if (this.#options.foldHere || !this.#replica.isFoldDue || this.#timer || this.#running) return
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#running = this.#foldAside()
    }, this.#waitMs).unref()
  }

  /** Waits for the one under way, or folds what this process has in memory. */
  async finish(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    await this.#running
    if (!this.#hasWritten || !this.#replica.isLoaded || !this.#replica.isFoldDue) return
    await foldMemory(this.#replica, this.#options).catch(() => {})
  }

  async #foldAside(): Promise<void> {
    try {
      const { foldInThread } = await import('./fold-thread')
      await foldInThread(this.#replica.path)
      this.#waitMs = SOON_MS
    } catch {
      this.#waitMs = LATER_MS
    } finally {
      this.#running = null
    }
  }
}

async function foldMemory(replica: Replica, { disk, turn }: { disk: Disk; turn: Turn }): Promise<void> {
  await turn.take()
  try {
    await replica.catchUp({ toWrite: true })
    if (!replica.isFoldDue || !(await replica.seal())) return
  } finally {
    turn.release()
  }
  const { path, place, connection } = replica
  const { segment } = place!
  const bytes = connection.export()
  await placeSnapshot(path, { bytes, segment, mayReplace: () => isOlder(path, segment), polite: true }, disk)
}
