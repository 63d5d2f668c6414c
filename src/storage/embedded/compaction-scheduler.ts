import type { CommitObserver, LogPosition } from '../services/commit-observer'
import type { WriteLock } from './backing-store'
import type { Disk } from './disk'
import { installSnapshot } from './install-snapshot'
import type { LogReplica } from './log-replica'
import { isOlderSnapshot, readMarks } from './snapshot'

/** A process that lives so long is taken for one that goes on; a shorter one folds when it ends. */
const DEFAULT_DELAY_MS = 1_000
/** After one that failed, as for want of space. */
const RETRY_DELAY_MS = 60_000

export interface CompactionOptions {
  disk: Disk
  writeLock: WriteLock
  compactsInProcess: boolean
  observer: CommitObserver | null
}

/**
 * When the log is folded into a new snapshot: by a process that has written, when a segment is closed. It is never urgent,
 * nothing waits for it, and one that fails is left to the next.
 */
export class CompactionScheduler {
  readonly #replica: LogReplica
  readonly #options: CompactionOptions
  #hasWritten = false
  #timer: NodeJS.Timeout | null = null
  #running: Promise<void> | null = null
  #waitMs = DEFAULT_DELAY_MS

  constructor(replica: LogReplica, options: CompactionOptions) {
    this.#replica = replica
    this.#options = options
  }

  noteCommit(): void {
    this.#hasWritten = true
    if (this.#options.compactsInProcess || !this.#replica.isCompactionDue || this.#timer || this.#running) return
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#running = this.#foldAside()
    }, this.#waitMs).unref()
  }

  /** Waits for the one under way, or folds what this process has in memory. */
  async finish(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    await this.#running
    if (!this.#hasWritten || !this.#replica.isLoaded || !this.#replica.isCompactionDue) return
    await this.#foldMemory().catch(() => {})
  }

  async #foldAside(): Promise<void> {
    try {
      const { compactInThread } = await import('./compaction-thread')
      await this.#moving(pinPosition(this.#replica), () => compactInThread(this.#replica.path))
      this.#waitMs = DEFAULT_DELAY_MS
    } catch {
      this.#waitMs = RETRY_DELAY_MS
    } finally {
      this.#running = null
    }
  }

  /** From when the turn is held, only this process moves what is in its memory. */
  async #foldMemory(): Promise<void> {
    const { writeLock, disk } = this.#options
    const replica = this.#replica
    const position = () => (replica.isLoaded ? replica.position : null)
    await writeLock.acquire()
    try {
      await replica.catchUp({ toWrite: true })
      if (!replica.isCompactionDue) return
      await this.#moving(position, async () => {
        const isSealed = await replica.seal().finally(() => writeLock.release())
        if (isSealed) await installMemorySnapshot(replica, disk)
      })
    } finally {
      writeLock.release()
    }
  }

  #moving(position: () => LogPosition | null, fold: () => Promise<void>): Promise<void> {
    const { observer } = this.#options
    return observer ? observer.relocating(position, fold) : fold()
  }
}

async function installMemorySnapshot({ path, cursor, connection }: LogReplica, disk: Disk): Promise<void> {
  const { segment } = cursor!
  const bytes = connection.export()
  await installSnapshot(
    path,
    { bytes, segment, mayReplace: () => isOlderSnapshot(path, segment), yieldsToOthers: true },
    disk,
  )
}

/** Where the rows of this moment are found, then and later: the memory goes on with what others write. */
function pinPosition(replica: LogReplica): () => LogPosition | null {
  const then = replica.isLoaded ? replica.position : null
  return () => {
    const marks = then && readMarks(replica.path)
    return marks ? { ...then, snapshot: marks.checksum } : null
  }
}
