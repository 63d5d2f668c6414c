import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { createTooComplexError, errorCodeOf, StudioError, type TaskOwner } from '../kernel'
import { FairQueue } from '../kernel/work/fair-queue'
import { isStartable } from './is-startable'
import { loadTask } from './tasks'

interface Job {
  name: string
  args: readonly unknown[]
  owner: TaskOwner
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** An unexpected error is sent as its stack and its code. */
type Answer =
  | { result: unknown }
  | { refused: ConstructorParameters<typeof StudioError> }
  | { failed: string; code: string }

/** The thread may use this much memory. */
const MAX_MEMORY_MB = 512
/** A thread without work ends after this time. */
const IDLE_MS = 30_000

/**
 * Runs pure tasks one after the other on a thread; callers with several tasks take turns. A task that takes too long, or whose caller leaves,
 * ends with its thread, and the next task gets another one.
 */
export class ComputingThread {
  readonly #waiting = new FairQueue<Job>()
  #worker: Worker | null = null
  #isBusy = false
  #idleTimer: NodeJS.Timeout | null = null

  async run(name: string, args: readonly unknown[], owner: TaskOwner): Promise<unknown> {
    if (!isStartable(import.meta.url)) return (await loadTask(name))(...args)
    const { signal, budget } = owner
    signal.throwIfAborted()
    if (budget?.leftMs === 0) throw createTooComplexError(budget.limitMs)
    return new Promise((resolve, reject) => {
      const job: Job = { name, args, owner, resolve, reject }
      const leave = () => {
        this.#waiting.remove(owner.caller, job)
        reject(signal.reason)
      }
      signal.addEventListener('abort', leave, { once: true })
      const free = () => signal.removeEventListener('abort', leave)
      job.resolve = (result) => {
        free()
        resolve(result)
      }
      job.reject = (error) => {
        free()
        reject(error)
      }
      this.#waiting.add(owner.caller, job)
      this.#startNext()
    })
  }

  async close(): Promise<void> {
    if (this.#idleTimer) clearTimeout(this.#idleTimer)
    for (const job of this.#waiting.takeAll()) job.reject(new DOMException('The program ends.', 'AbortError'))
    const worker = this.#worker
    this.#worker = null
    await worker?.terminate()
  }

  #startNext(): void {
    if (this.#isBusy) return
    const job = this.#waiting.takeNext()
    if (!job) {
      this.#endWhenIdle()
      return
    }
    this.#isBusy = true
    if (this.#idleTimer) clearTimeout(this.#idleTimer)
    this.#worker ??= this.#startWorker()
    this.#runOn(this.#worker, job)
  }

  #runOn(worker: Worker, { name, args, owner: { signal, budget }, resolve, reject }: Job): void {
    const startedAt = performance.now()
    const abandon = (error: unknown) => {
      this.#worker = null
      void worker.terminate()
      finish(() => reject(error))
    }
    const onAbort = () => abandon(signal.reason)
    const timer =
      budget && Number.isFinite(budget.leftMs)
        ? setTimeout(() => abandon(createTooComplexError(budget.limitMs)), budget.leftMs)
        : null
    const onMessage = (answer: Answer) => {
      if ('result' in answer) finish(() => resolve(answer.result))
      else if ('refused' in answer) finish(() => reject(new StudioError(...answer.refused)))
      else finish(() => reject(Object.assign(new Error(answer.failed), { code: answer.code })))
    }
    // The thread has run out of memory, or could not start.
    const onError = (error: Error & { code?: string }) =>
      abandon(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? createTooLargeError() : error)
    // It was ended from outside, as by `close`.
    const onExit = () => abandon(new DOMException('The thread has ended.', 'AbortError'))
    const finish = (settle: () => void) => {
      if (timer) clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit).unref()
      this.#isBusy = false
      budget?.add(performance.now() - startedAt)
      settle()
      this.#startNext()
    }
    signal.addEventListener('abort', onAbort, { once: true })
    worker.on('message', onMessage).on('error', onError).on('exit', onExit).ref()
    try {
      worker.postMessage({ name, args })
    } catch (error) {
      // The arguments are not data that can be copied.
      finish(() => reject(error))
    }
  }

  #startWorker(): Worker {
    const worker = startWorker()
    // It may end between two tasks. A message to it would then get no answer.
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = null
    })
    return worker
  }

  #endWhenIdle(): void {
    this.#idleTimer = setTimeout(() => {
      void this.#worker?.terminate()
      this.#worker = null
    }, IDLE_MS).unref()
  }
}

function createTooLargeError(): StudioError {
  return new StudioError('too_complex', `The texts of this call need more than ${MAX_MEMORY_MB} MB to convert.`, {
    hint: 'Shorten them.',
  })
}

interface ThreadData {
  runsTasks: true
}

function startWorker(): Worker {
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { runsTasks: true } satisfies ThreadData,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  })
  // The task that runs reports an error. Without a task, it must not end the program.
  worker.on('error', () => {})
  return worker
}

// This file is also what the thread runs.
if (!isMainThread && (workerData as ThreadData | null)?.runsTasks) {
  parentPort!.on('message', async ({ name, args }: Pick<Job, 'name' | 'args'>) => {
    parentPort!.postMessage(await answerTask(name, args))
  })
}

async function answerTask(name: string, args: readonly unknown[]): Promise<Answer> {
  try {
    return { result: await (await loadTask(name))(...args) }
  } catch (error) {
    if (!(error instanceof StudioError)) {
      const failed = error instanceof Error ? (error.stack ?? '') : String(error)
      return { failed, code: errorCodeOf(error) }
    }
    const { code, message, hint, details } = error
    return { refused: [code, message, { hint, details }] }
  }
}
