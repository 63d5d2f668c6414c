import { Worker } from 'node:worker_threads'
import type { Searchable } from '../../items'
import type { EntityRef } from '../services/search-index'
import type { SegmentEntry } from './index-folder'
import type { IndexingAnswer, IndexingData, IndexingTask } from './indexing-thread'
import type { SegmentSink } from './segment-batch'

/** A caller that adds faster than the thread indexes waits, so that only so many lots are in memory. */
const MAX_WAITING = 4

/** Collects entities on a thread of its own, while the caller goes on. What fails there fails the next call. */
export class ThreadedBatch implements SegmentSink {
  readonly #worker: Worker
  readonly #isAwaited: boolean
  readonly #waiting: { resolve(answer: SegmentEntry[]): void; reject(error: unknown): void }[] = []
  #failure: unknown = null
  #hasEnded = false

  /**
   * @param path that of the index.
   * @param isAwaited false if the program may end before the thread has answered.
   */
  constructor(file: URL, path: string, { isAwaited }: { isAwaited: boolean }) {
    this.#isAwaited = isAwaited
    this.#worker = new Worker(file, { workerData: { indexAt: path } satisfies IndexingData })
    this.#worker.on('message', (answer: IndexingAnswer) => {
      const { resolve, reject } = this.#waiting.shift()!
      if (this.#waiting.length === 0) this.#worker.unref()
      if ('failed' in answer) reject(this.#fail(new Error(answer.failed)))
      else resolve(answer.entries)
    })
    this.#worker.on('error', (error) => this.#failAll(error))
    this.#worker.on('exit', () => {
      this.#hasEnded = true
      this.#failAll(new Error('the thread has ended'))
    })
    this.#worker.unref()
  }

  async add(searchables: readonly Searchable[]): Promise<void> {
    await this.#askLater({ add: searchables })
  }

  async remove(ref: EntityRef): Promise<void> {
    await this.#askLater({ remove: ref })
  }

  async merge(segments: readonly SegmentEntry[]): Promise<void> {
    if (segments.length > 0) await this.#askLater({ merge: segments })
  }

  async finish(): Promise<SegmentEntry[]> {
    const entries = await this.#ask({ finish: true })
    await this.#worker.terminate()
    return entries
  }

  async abandon(): Promise<void> {
    // Also after a failure: only the thread knows what it has written.
    if (!this.#hasEnded) await this.#send({ abandon: true }).catch(() => {})
    await this.#worker.terminate()
  }

  /** Does not wait for the thread, unless much is waiting already. */
  async #askLater(task: IndexingTask): Promise<void> {
    const done = this.#ask(task)
    done.catch(() => {})
    if (this.#waiting.length > MAX_WAITING) await done
  }

  #ask(task: IndexingTask): Promise<SegmentEntry[]> {
    return this.#failure === null ? this.#send(task) : Promise.reject(this.#failure)
  }

  #send(task: IndexingTask): Promise<SegmentEntry[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      if (this.#isAwaited) this.#worker.ref()
      this.#worker.postMessage(task)
    })
  }

  #fail(error: unknown): unknown {
    this.#failure ??= error
    return this.#failure
  }

  #failAll(error: unknown): void {
    this.#fail(error)
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure)
  }
}
