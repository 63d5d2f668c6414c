import type { Background } from '../kernel'
import { memoizeAsync } from '../kernel/work/memoize-async'

/** Starts its thread with the first task. */
export function createBackground(): Background & { close(): Promise<void> } {
  const open = memoizeAsync(async () => new (await import('./computing-thread')).ComputingThread())
  return {
    run: async (name, args, limits) => (await open()).run(name, args, limits),
    close: async () => (await open.current?.catch(() => null))?.close(),
  }
}
