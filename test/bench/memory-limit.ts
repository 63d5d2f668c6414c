import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A group of processes that Linux ends if they use more memory than this together, their cached files included. */
export interface MemoryLimit {
  /** A command line that runs the same program within the limit. */
  wrap(program: string, args: readonly string[]): [program: string, args: string[]]
  /** How many processes the system has ended. */
  killed(): number
  remove(): void
}

/** Both versions of control groups. Null where they are missing, or where this user may not make one. */
export function limitMemory(bytes: number): MemoryLimit | null {
  const isSecondVersion = existsSync('/sys/fs/cgroup/cgroup.controllers')
  const folder = join('/sys/fs/cgroup', isSecondVersion ? '' : 'memory', `studio-bench-${process.pid}`)
  const [limit, events] = isSecondVersion
    ? ['memory.max', 'memory.events']
    : ['memory.limit_in_bytes', 'memory.oom_control']
  try {
    mkdirSync(folder)
    writeFileSync(join(folder, limit!), String(bytes))
  } catch {
    if (existsSync(folder)) rmdirSync(folder)
    return null
  }
  return {
    wrap: (program, args) => [
      'sh',
      ['-c', 'echo $$ > "$0"; exec "$@"', join(folder, 'cgroup.procs'), program, ...args],
    ],
    killed: () => Number(/oom_kill (\d+)/.exec(readFileSync(join(folder, events!), 'utf8'))?.[1] ?? 0),
    remove: () => rmdirSync(folder),
  }
}
