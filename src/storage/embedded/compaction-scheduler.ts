import type { CommitObserver, LogPosition } from '../services/commit-observer'
import type { Disk } from './disk'
import { installSnapshot } from './install-snapshot'
import type { LogReplica } from './log-replica'
import { isOlderSnapshot, readMarks } from './snapshot'
import type { WriteLock } from './write-lock'

/** A process that lives this long after a commit compacts in the background; a shorter one compacts when it ends. */
const DEFAULT_DELAY_MS = 1_000
/** The delay after a failed compaction, for example because the disk is full. */
const RETRY_DELAY_MS = 60_000

export interface CompactionOptions {
  disk: Disk
  writeLock: WriteLock
  compactsInProcess: boolean
  observer: CommitObserver | null
}

/**
 * Decides when the log is compacted into a new snapshot: in a process that has written, once a segment is closed. Nothing waits for it,
 * and a failed compaction is left to the next one.
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
      this.#running = this.#compactInBackground()
    }, this.#waitMs).unref()
  }

  /** Waits for the running compaction, or writes a snapshot of this process's memory. */
  async finish(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    await this.#running
    if (!this.#hasWritten || !this.#replica.isLoaded || !this.#replica.isCompactionDue) return
    await this.#compactMemory().catch(() => {})
  }

  async #compactInBackground(): Promise<void> {
    try {
      const { compactInThread } = await import('./compact-files')
      await this.#relocate(pinPosition(this.#replica), () => compactInThread(this.#replica.path))
      this.#waitMs = DEFAULT_DELAY_MS
    } catch {
      this.#waitMs = RETRY_DELAY_MS
    } finally {
      this.#running = null
    }
  }

  /** While this process holds the write lock, no other process changes the state in its memory. */
  async #compactMemory(): Promise<void> {
    const { writeLock, disk } = this.#options
    const replica = this.#replica
    const position = () => (replica.isLoaded ? replica.position : null)
    await writeLock.acquire()
    try {
      await replica.catchUp({ toWrite: true })
      if (!replica.isCompactionDue) return
      await this.#relocate(position, async () => {
        const isSealed = await replica.seal().finally(() => writeLock.release())
        if (isSealed) await installMemorySnapshot(replica, disk)
      })
    } finally {
      writeLock.release()
    }
  }

  #relocate(position: () => LogPosition | null, compact: () => Promise<void>): Promise<void> {
    const { observer } = this.#options
    return observer ? observer.relocating(position, compact) : compact()
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

/** Pins the current position: the memory continues with what other processes write. */
function pinPosition(replica: LogReplica): () => LogPosition | null {
  const then = replica.isLoaded ? replica.position : null
  return () => {
    const marks = then && readMarks(replica.path)
    return marks ? { ...then, snapshot: marks.checksum } : null
  }
}
