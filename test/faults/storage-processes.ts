import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import { onTestFinished } from 'vitest'
import type { Order } from './storage-writer'

const program = resolve('node_modules/.cache/studio/storage-writer.mjs')

/** Bundles the program that the tests start as separate processes. */
export async function buildWriter(): Promise<void> {
  mkdirSync(resolve('node_modules/.cache/studio'), { recursive: true })
  await build({
    entryPoints: ['test/faults/storage-writer.ts'],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  })
}

export interface Writer {
  process: ChildProcess
  /** The notes that the process has started to write, and those that it has reported as acknowledged or failed. */
  begun: Set<number>
  kept: Set<number>
  failed: Map<number, string>
  /** Resolves when the process has printed this, or has ended. */
  said(text: string | RegExp): Promise<void>
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; errors: string }>
}

/** `shell` is a bash command line that runs the program. Its command and arguments are in `"$@"`. */
export function startWriter(order: Order, { shell }: { shell?: string } = {}): Writer {
  const words = [process.execPath, program, JSON.stringify(order)]
  const [command, ...args] = shell === undefined ? words : ['bash', '-c', shell, 'bash', ...words]
  const child = spawn(command!, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const writer: Writer = {
    process: child,
    begun: new Set(),
    kept: new Set(),
    failed: new Map(),
    said: (text) =>
      new Promise((resolve) => {
        const hear = (line: string) => (typeof text === 'string' ? line === text : text.test(line)) && resolve()
        for (const line of lines) hear(line)
        output.on('line', hear).once('close', resolve)
      }),
    ended: Promise.all([once(child, 'exit'), once(child.stdout!, 'close')]).then(([[code, signal]]) => ({
      code,
      signal,
      errors,
    })),
  }
  const lines: string[] = []
  let errors = ''
  child.stderr!.on('data', (text) => {
    errors += text
  })
  const output = createInterface({ input: child.stdout! })
  output.on('line', (line) => {
    lines.push(line)
    const [word, id, code] = line.split(' ')
    if (word === 'begun') writer.begun.add(Number(id))
    if (word === 'kept') writer.kept.add(Number(id))
    if (word === 'failed') writer.failed.set(Number(id), code!)
  })
  return writer
}
