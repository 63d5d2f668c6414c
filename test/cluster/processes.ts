import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, openSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { serverAccount } from '../storage/postgres/server'
import { findPostgresFolder } from './programs'

export interface Service {
  /** The process of the program; undefined before the start. */
  readonly pid: number | undefined
  start(): void
  signal(signal: NodeJS.Signals): void
  kill(): Promise<void>
}

/** The folder of a cluster, and the programs that run in it under an account other than root. */
export interface Workplace {
  folder: string
  /** Writes a file for the programs, and returns its path. */
  write(name: string, text: string): string
  /** Gives a file or folder to the account of the programs. */
  own(path: string): void
  run(name: string, program: string, args: readonly string[]): Service
  /** Ends all programs, also those that other programs have started, and removes the folder. */
  remove(): Promise<void>
}

export async function openWorkplace(): Promise<Workplace> {
  const account = await serverAccount()
  const folder = await mkdtemp(join(tmpdir(), 'studio-cluster-'))
  const own = (path: string) => account.uid !== undefined && chownSync(path, account.uid, account.gid!)
  own(folder)
  const remove = removeWhenOrphaned(folder)
  return {
    folder,
    own,
    write(name, text) {
      const path = join(folder, name)
      writeFileSync(path, text)
      own(path)
      return path
    },
    run(name, program, args) {
      let running: ChildProcess | null = null
      const service: Service = {
        get pid() {
          return running?.pid
        },
        start() {
          const log = openSync(join(folder, `${name}.log`), 'a')
          const { PATH = '' } = process.env
          const env = { PATH: `${PATH}:${findPostgresFolder()}`, LC_ALL: 'C', HOME: folder }
          running = spawn(program, args, { ...account, cwd: folder, env, stdio: ['ignore', log, log] })
        },
        signal: (signal) => void running?.kill(signal),
        async kill() {
          if (running === null || running.exitCode !== null || running.signalCode !== null) return
          const ended = new Promise((done) => running!.once('exit', done))
          running.kill('SIGKILL')
          await ended
        },
      }
      service.start()
      return service
    },
    remove,
  }
}

/**
 * Starts a process that removes the folder, and ends all programs that name it in their arguments or environment, when this process ends,
 * also when it is killed. Returns a function that does it at once.
 */
export function removeWhenOrphaned(folder: string): () => Promise<void> {
  const guard = spawn('sh', [resolve('test/cluster/remove-when-orphaned.sh')], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const ended = new Promise<void>((done) => guard.once('exit', () => done()))
  guard.stdin.on('error', () => {})
  guard.stdin.write(`${folder}\n`)
  guard.unref()
  return () => {
    guard.ref()
    guard.stdin.end()
    return ended
  }
}

export interface ProcessEntry {
  pid: number
  parent: number
  /** Processor time in seconds, of the process and of its children that have ended. */
  cpuSeconds: number
}

const TICKS_PER_SECOND = 100

export function readProcess(pid: number): ProcessEntry | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { pid, parent: Number(fields[1]), cpuSeconds: ticks / TICKS_PER_SECOND }
  } catch {
    return null // It has ended.
  }
}

/** The processes with these IDs and all that they have started. */
export function listTree(roots: readonly number[]): ProcessEntry[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readProcess(Number(name)) ?? []) : []))
  const isIn = new Set(roots)
  for (let size = -1; size !== isIn.size; ) {
    size = isIn.size
    for (const { pid, parent } of all) if (isIn.has(parent)) isIn.add(pid)
  }
  return all.filter(({ pid }) => isIn.has(pid))
}

/** The local ports of the TCP connections of the processes. */
export function listLocalPorts(pids: readonly number[]): Set<number> {
  const sockets = new Set(pids.flatMap(listSockets))
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1)
  const ports = lines.flatMap((line) => {
    const fields = line.trim().split(/\s+/)
    return sockets.has(fields[9] ?? '') ? [Number.parseInt(fields[1]!.split(':')[1]!, 16)] : []
  })
  return new Set(ports)
}

function listSockets(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? []
      } catch {
        return [] // It was closed meanwhile.
      }
    })
  } catch {
    return [] // The process has ended.
  }
}
