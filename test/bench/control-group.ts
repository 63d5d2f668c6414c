import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A group of processes that Linux limits together, by a control group of either version. */
export interface ControlGroup {
  /** A command line that runs the same program in the group. */
  wrap(program: string, args: readonly string[]): [program: string, args: string[]]
  /** Moves a process with all its threads into the group. Its later children start there too. */
  add(pid: number): void
  /** Reads a file of the group: the first name is that of version 2, the second that of version 1. */
  read(files: Names): string
  /** Moves its processes out of it, and removes it. */
  remove(): void
}

type Names = readonly [ofSecond: string, ofFirst: string]

interface Limits {
  name: string
  /** As version 1 names it. */
  controller: 'memory' | 'cpu'
  /** The content of each file. */
  ofSecond: Readonly<Record<string, string>>
  ofFirst: Readonly<Record<string, string>>
}

/** Null where control groups are missing, or where this user may not create one. */
export function createControlGroup({ name, controller, ofSecond, ofFirst }: Limits): ControlGroup | null {
  const isSecond = existsSync('/sys/fs/cgroup/cgroup.controllers')
  const folder = join('/sys/fs/cgroup', isSecond ? '' : controller, `studio-bench-${process.pid}-${name}`)
  try {
    mkdirSync(folder)
    for (const [file, content] of Object.entries(isSecond ? ofSecond : ofFirst))
      writeFileSync(join(folder, file), content)
  } catch {
    if (existsSync(folder)) rmdirSync(folder)
    return null
  }
  const processes = join(folder, 'cgroup.procs')
  return {
    wrap: (program, args) => ['sh', ['-c', 'echo $$ > "$0"; exec "$@"', processes, program, ...args]],
    add: (pid) => moveTo(processes, pid),
    read: ([second, first]) => readFileSync(join(folder, isSecond ? second : first), 'utf8'),
    remove() {
      for (const pid of readFileSync(processes, 'utf8').split('\n').filter(Boolean))
        moveTo(join(dirname(folder), 'cgroup.procs'), Number(pid))
      rmdirSync(folder)
    },
  }
}

function moveTo(processes: string, pid: number): void {
  try {
    writeFileSync(processes, String(pid))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error // It has ended.
  }
}
