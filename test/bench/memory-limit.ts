import { createControlGroup } from './control-group'

/** A group of processes that Linux ends if they use more memory than this together, their cached files included. */
export interface MemoryLimit {
  /** A command line that runs the same program within the limit. */
  wrap(program: string, args: readonly string[]): [program: string, args: string[]]
  /** How many processes the system has ended. */
  killed(): number
  remove(): void
}

/** Null where control groups are missing, or where this user may not create one. */
export function limitMemory(bytes: number): MemoryLimit | null {
  const group = createControlGroup({
    name: 'memory',
    controller: 'memory',
    ofSecond: { 'memory.max': String(bytes) },
    ofFirst: { 'memory.limit_in_bytes': String(bytes) },
  })
  return (
    group && {
      wrap: group.wrap,
      killed: () => Number(/oom_kill (\d+)/.exec(group.read(['memory.events', 'memory.oom_control']))?.[1] ?? 0),
      remove: group.remove,
    }
  )
}
