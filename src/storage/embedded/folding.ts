import type { CommitWatch, LogPosition } from '../log-position'
import type { Turn } from './backing'
import type { Disk } from './disk'
import { placeSnapshot } from './place-snapshot'
import type { Replica } from './replica'
import { isOlder, marksAt } from './snapshot'

/** A process that lives so long is taken for one that goes on; a shorter one folds when it ends. */
const SOON_MS = 1_000
/** After one that failed, as for want of space. */
const LATER_MS = 60_000

export interface FoldingOptions {
  disk: Disk
  turn: Turn
  foldHere: boolean
  watch: CommitWatch | null
}

/**
 * When the log is folded into a new snapshot: by a process that has written, when a segment is closed. It is never urgent,
 * nothing waits for it, and one that fails is left to the next.
 */
export class Folding {
  readonly #replica: Replica
  readonly #options: FoldingOptions
  #hasWritten = false
  #timer: NodeJS.Timeout | null = null
  #running: Promise<void> | null = null
  #waitMs = SOON_MS

  constructor(replica: Replica, options: FoldingOptions) {
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
    await this.#foldMemory().catch(() => {})
  }

  async #foldAside(): Promise<void> {
    try {
      const { foldInThread } = await import('./fold-thread')
      await this.#moving(whereNow(this.#replica), () => foldInThread(this.#replica.path))
      this.#waitMs = SOON_MS
    } catch {
      this.#waitMs = LATER_MS
    } finally {
      this.#running = null
    }
  }

  /** From when the turn is held, only this process moves what is in its memory. */
  async #foldMemory(): Promise<void> {
    const { turn, disk } = this.#options
    const replica = this.#replica
    const position = () => (replica.isLoaded ? replica.position : null)
    await turn.take()
    try {
      await replica.catchUp({ toWrite: true })
      if (!replica.isFoldDue) return
      await this.#moving(position, async () => {
        const isSealed = await replica.seal().finally(() => turn.release())
        if (isSealed) await placeMemory(replica, disk)
      })
    } finally {
      turn.release()
    }
  }

  #moving(position: () => LogPosition | null, fold: () => Promise<void>): Promise<void> {
    const { watch } = this.#options
    return watch ? watch.moving(position, fold) : fold()
  }
}

async function placeMemory({ path, place, connection }: Replica, disk: Disk): Promise<void> {
  const { segment } = place!
  const bytes = connection.export()
  await placeSnapshot(path, { bytes, segment, mayReplace: () => isOlder(path, segment), polite: true }, disk)
}

/** Where the rows of this moment are found, then and later: the memory goes on with what others write. */
function whereNow(replica: Replica): () => LogPosition | null {
  const then = replica.isLoaded ? replica.position : null
  return () => {
    const marks = then && marksAt(replica.path)
    return marks ? { ...then, snapshot: marks.checksum } : null
  }
}
