import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execa, type Options } from 'execa'

/** Whether this machine lets a process see another root folder. */
export const hasNamespaces =
  process.platform === 'linux' &&
  spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'chroot', '/', 'true']).status === 0

/** A root folder with an executable, the libraries of the system that it names, and nothing else: no Node.js, no shell, no other program. */
export function layBareMachine(root: string, executable: string): void {
  for (const name of ['proc', 'dev', 'tmp', 'home']) mkdirSync(join(root, name), { recursive: true })
  const linked = execFileSync('ldd', [executable], { encoding: 'utf8' })
  for (const [, library] of linked.matchAll(/(\/\S+) \(0x/g)) {
    mkdirSync(join(root, dirname(library!)), { recursive: true })
    cpSync(library!, join(root, library!), { dereference: true })
  }
}

/** Runs a program of a root folder, which sees nothing else of this machine but its processes, devices and network. */
export function runOn<Chosen extends Options>(root: string, argv: readonly string[], options: Chosen) {
  const mounts = `mount --rbind /proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"`
  const words = ['--user', '--map-root-user', '--mount', 'sh', '-c', mounts, root, ...argv]
  // A command that can read its input waits for the end of it.
  const input = 'input' in options ? {} : { stdin: 'ignore' as const }
  const env = { PATH: process.env['PATH'], ...options.env }
  return execa('unshare', words, { ...options, ...input, extendEnv: false, env })
}
