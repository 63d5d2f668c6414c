import type { Background } from '../kernel'

/** Starts its thread with the first task. */
export function createBackground(): Background & { close(): Promise<void> } {
  let thread: Promise<import('./computing-thread').ComputingThread> | null = null
  return {
    async run(name, args, limits) {
      thread ??= import('./computing-thread').then(({ ComputingThread }) => new ComputingThread())
      return (await thread).run(name, args, limits)
    },
    async close() {
      await (await thread)?.close()
    },
  }
}
