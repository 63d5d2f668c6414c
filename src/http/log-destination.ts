import { closeSync, openSync, write, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCodeOf } from '../kernel'

/** A quiet service writes each line at once; a busy one writes the lines of some milliseconds together. */
const BATCH_MS = 5
/** The delay after a failed write, for example because the disk is full. */
const RETRY_MS = 500
/** Lines that cannot be written wait in memory up to this length. */
const MAX_WAITING_LENGTH = 256 * 1024
/** For how long the end of the program waits for a slow reader. */
const FLUSH_MS = 2_000
const FLUSH_PAUSE_MS = 5
const OWNER_ONLY_MODE = 0o600
const STANDARD_ERROR = 2

/**
 * Appends lines to a file, or to standard error, without waiting for the disk. A failed write never ends the process: its lines wait and
 * are written later, and those that do not fit are counted.
 */
export class LogDestination {
  readonly #file: string | null
  readonly #describeLoss: (lines: number) => string
  #fd: number
  #waiting = ''
  #lostLines = 0
  /** What is being written, or was not written yet. */
  #current: Buffer = Buffer.alloc(0)
  #isWriting = false
  #written: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | null = null
  #reopens = false

  /**
   * Throws the error of the system if the file cannot be opened.
   * @param file null for standard error.
   * @param describeLoss the line that says that lines were lost.
   */
  constructor(file: string | null, describeLoss: (lines: number) => string) {
    this.#file = file
    this.#describeLoss = describeLoss
    this.#fd = file === null ? STANDARD_ERROR : openSync(file, 'a', OWNER_ONLY_MODE)
  }

  write(line: string): void {
    if (this.#waiting.length + line.length > MAX_WAITING_LENGTH) this.#lostLines++
    else this.#waiting += line
    if (!this.#isWriting && this.#timer === null) this.#writeNext()
  }

  /** Opens the file again after it was moved away. If that fails, lines go on to the moved file. */
  reopen(): void {
    if (this.#file === null) return
    if (this.#isWriting) {
      this.#reopens = true
      return
    }
    this.#reopens = false
    const before = this.#fd
    try {
      this.#fd = openSync(this.#file, 'a', OWNER_ONLY_MODE)
      closeSync(before)
    } catch {
      // The folder is gone, or no file can be opened now.
    }
  }

  /** Waits for the write that is under way, of which a part may be left, and writes the rest. What cannot be written is lost. */
  async end(): Promise<void> {
    await Promise.race([this.#written, sleep(FLUSH_MS, undefined, { ref: false })])
    this.flush()
  }

  /** Writes what waits before it returns, but for what another thread is writing. What cannot be written is lost. */
  flush(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const bytes = this.#isWriting ? this.#takeWaiting() : Buffer.concat([this.#current, this.#takeWaiting()])
    if (!this.#isWriting) this.#current = Buffer.alloc(0)
    this.#writeAll(bytes)
  }

  /** A write may take only a part of the bytes, and a pipe that is full for a moment takes none. */
  #writeAll(bytes: Buffer): void {
    const deadline = performance.now() + FLUSH_MS
    for (let at = 0; at < bytes.length; ) {
      try {
        at += writeSync(this.#fd, bytes, at)
      } catch (error) {
        // Else the disk is full, or the reader has left.
        const isFull = errorCodeOf(error) === 'EAGAIN'
        if (!isFull || performance.now() > deadline) return
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FLUSH_PAUSE_MS)
      }
    }
  }

  #takeWaiting(): Buffer {
    const lost = this.#lostLines > 0 ? this.#describeLoss(this.#lostLines) : ''
    const bytes = Buffer.from(this.#waiting + lost)
    this.#waiting = ''
    this.#lostLines = 0
    return bytes
  }

  #writeNext(): void {
    if (this.#current.length === 0) this.#current = this.#takeWaiting()
    if (this.#current.length === 0) return
    this.#isWriting = true
    let end = () => {}
    this.#written = new Promise((resolve) => {
      end = resolve
    })
    write(this.#fd, this.#current, (error, written) => {
      this.#isWriting = false
      end()
      if (!error) this.#current = this.#current.subarray(written)
      if (this.#reopens) this.reopen()
      const delay = error ? RETRY_MS : this.#current.length > 0 ? 0 : BATCH_MS
      this.#timer = setTimeout(() => {
        this.#timer = null
        this.#writeNext()
      }, delay).unref()
    })
  }
}
