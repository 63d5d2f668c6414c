import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { execa, type ResultPromise } from 'execa'
import { beforeAll, onTestFinished } from 'vitest'

const bin = resolve('bin/studio.js')

/** Whether a test can give a program a terminal. Wine shows the files of this system, but cannot run its programs. */
export const canOpenTerminal = process.platform !== 'win32' && existsSync('/usr/bin/script')

export interface Ran {
  exitCode: number
  out: string
  err: string
}

export interface Program {
  home: string
  /** The variables with which it runs. */
  env: Record<string, string>
  /** Runs the built program and waits for its end. */
  run(args: readonly string[], more?: { input?: string; env?: Record<string, string> }): Promise<Ran>
  /** Runs it with `--json`, expects success, and gives the value. */
  json<T = any>(args: readonly string[], more?: { input?: string; env?: Record<string, string> }): Promise<T>
  /** Starts it and leaves it running; it is stopped at the end. */
  start(args: readonly string[], env?: Record<string, string>): ResultPromise
}

/** Calls the function at the end of a test, or of several tests. */
export type AtEnd = (end: () => Promise<void>) => void

/** The built program with a home of its own, which is removed at the end of the test. */
export async function program(atEnd: AtEnd = onTestFinished): Promise<Program> {
  const home = await mkdtemp(join(tmpdir(), 'studio-contract-'))
  // Windows holds the folder of a program for a moment after its end.
  atEnd(() => rm(home, { recursive: true, force: true, maxRetries: 10 }))
  return programIn(home, atEnd)
}

/** Opens something once for all tests of a file or of a `describe`. They must not change it. */
export function openOnce<Opened>(open: (atEnd: AtEnd) => Promise<Opened>): () => Opened {
  let opened: Opened
  beforeAll(async () => {
    const ends: (() => Promise<void>)[] = []
    const endAll = async () => {
      for (const end of ends.reverse()) await end()
    }
    try {
      opened = await open((end) => ends.push(end))
    } catch (error) {
      await endAll()
      throw error
    }
    return endAll
  })
  return () => opened
}

/** The same in a home that somebody else removes. */
export function programIn(home: string, atEnd: AtEnd = onTestFinished): Program {
  const base = { cwd: home, extendEnv: false, reject: false } as const
  // Under Wine, the program needs those of the tests to connect at all.
  const ownOptions = process.platform === 'win32' ? process.env['NODE_OPTIONS'] : undefined
  const environment = (env: Record<string, string> = {}): Record<string, string> => {
    const options = [ownOptions, env['NODE_OPTIONS']].filter(Boolean).join(' ')
    return {
      PATH: process.env['PATH'] ?? '',
      STUDIO_HOME: home,
      NODE_COMPILE_CACHE: join(tmpdir(), 'studio-tests-compiled'),
      ...env,
      ...(options && { NODE_OPTIONS: options }),
    }
  }
  const run: Program['run'] = async (args, { input = '', env } = {}) => {
    const result = await execa(process.execPath, [bin, ...args], {
      ...base,
      env: environment(env),
      input,
      stripFinalNewline: false,
    })
    return { exitCode: result.exitCode ?? -1, out: result.stdout, err: result.stderr }
  }
  return {
    home,
    env: environment(),
    run,
    async json(args, more) {
      const { exitCode, out, err } = await run([...args, '--json'], more)
      if (exitCode !== 0) throw new Error(`studio ${args.join(' ')}: exit ${exitCode}\n${err}`)
      return JSON.parse(out)
    },
    start(args, env) {
      const running = execa(process.execPath, [bin, ...args], {
        ...base,
        env: environment(env),
        stdin: 'ignore',
        forceKillAfterDelay: 60_000,
      })
      // Under Wine, the output of a killed program does not always end.
      if (process.platform === 'win32')
        running.once('exit', (_, signal) => {
          if (signal) for (const output of [running.stdout, running.stderr]) output.destroy()
        })
      atEnd(async () => {
        running.kill('SIGTERM')
        await running
      })
      return running
    },
  }
}

/** The first line that the program prints on standard output, as JSON. */
export async function firstJsonLine(running: ResultPromise): Promise<any> {
  for await (const line of createInterface({ input: running.stdout! })) return JSON.parse(line)
  throw new Error(`the program ended without a line: ${(await running).stderr}`)
}

/** A credential of the same shape that is certainly another one, whatever its last character. */
export const altered = (credential: string): string => credential.slice(0, -1) + (credential.endsWith('x') ? 'y' : 'x')
