import type { CommitObserver, LogPosition } from '../services/commit-observer'
import { readBaseMarks } from './base-file'
import type { DatabaseFiles } from './database-files'
import type { Disk } from './disk'
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
 * Decides when the log is compacted into a new base: in a process that has written, once the closed segments are large enough. Nothing
 * waits for it, and a failed compaction is left to the next one.
 */
export class CompactionScheduler {
  readonly #files: DatabaseFiles
  readonly #options: CompactionOptions
  #hasWritten = false
  #timer: NodeJS.Timeout | null = null
  #running: Promise<void> | null = null
  #waitMs = DEFAULT_DELAY_MS

  constructor(files: DatabaseFiles, options: CompactionOptions) {
    this.#files = files
    this.#options = options
  }

  noteCommit(): void {
    this.#hasWritten = true
    if (this.#options.compactsInProcess || !this.#files.isCompactionDue || this.#timer || this.#running) return
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#running = this.#compactInBackground()
    }, this.#waitMs).unref()
  }

  /** Waits for the running compaction, or compacts on this thread. */
  async finish(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    await this.#running
    if (!this.#hasWritten || !this.#files.isLoaded || !this.#files.isCompactionDue) return
    await this.#compactNow().catch(() => {})
  }

  async #compactInBackground(): Promise<void> {
    try {
      const { compactInThread } = await import('./compact-files')
      await this.#relocate(pinPosition(this.#files), () => compactInThread(this.#files.path))
      this.#waitMs = DEFAULT_DELAY_MS
    } catch {
      this.#waitMs = RETRY_DELAY_MS
    } finally {
      this.#running = null
    }
  }

  /** Other processes can write as soon as the last segment is closed. */
  async #compactNow(): Promise<void> {
    const { writeLock, disk } = this.#options
    const files = this.#files
    const position = () => (files.isLoaded ? files.position : null)
    await writeLock.acquire()
    try {
      await files.catchUp({ toWrite: true })
      if (!files.isCompactionDue) return
      await this.#relocate(position, async () => {
        const isSealed = await files.seal().finally(() => writeLock.release())
        if (isSealed) await (await import('./compact-files')).compactFiles(files.path, disk)
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

/** Pins the current position, because other processes continue to write. */
function pinPosition(files: DatabaseFiles): () => LogPosition | null {
  const then = files.isLoaded ? files.position : null
  return () => {
    const marks = then && readBaseMarks(files.path)
    return marks ? { ...then, snapshot: marks.checksum } : null
  }
}
