import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, readdirSync, readlinkSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { program } from './program'

const bin = resolve('bin/studio.js')
const DRAFT = JSON.stringify({ title: 'From a pipe' })

interface Running {
  child: ChildProcess
  ended: Promise<{ code: number | null; out: string; err: string }>
}

/** A home with a named pipe in it, and the built program beside it. */
async function home() {
  const studio = await program()
  const pipe = join(studio.home, 'pipe')
  execFileSync('mkfifo', [pipe])
  const start = (command: string, ...args: string[]): Running => {
    const env = { PATH: process.env['PATH'] ?? '', STUDIO_HOME: studio.home }
    const child = spawn(command, args, { cwd: studio.home, env })
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)])
    return { child, ended: ended.then(([[code], out, err]) => ({ code, out, err })) }
  }
  return {
    pipe,
    start,
    save: (file: string) => start(process.execPath, bin, 'draft', 'save', '--file', file, '--json'),
  }
}

/** The writing end of the pipe, as soon as the program has it open. */
async function openForWriting(pipe: string): Promise<number> {
  let fd = -1
  const tryOpen = () => {
    try {
      fd = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK)
      return true
    } catch {
      return false
    }
  }
  await expect.poll(tryOpen).toBe(true)
  return fd
}

function hasOpen({ child }: Running, path: string): boolean {
  const folder = `/proc/${child.pid}/fd`
  return readdirSync(folder).some((fd) => {
    try {
      return readlinkSync(join(folder, fd)) === path
    } catch {
      return false
    }
  })
}

const interrupted = { code: 130, err: expect.stringContaining('Interrupted') }

describe.skipIf(process.platform === 'win32')('a named pipe as --file', () => {
  it('is read to its end, in as many parts as it is written', async () => {
    const { pipe, save } = await home()
    const running = save(pipe)
    const fd = await openForWriting(pipe)
    writeSync(fd, DRAFT.slice(0, 5))
    writeSync(fd, DRAFT.slice(5))
    closeSync(fd)
    const { code, out } = await running.ended
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ title: 'From a pipe' })])
  })

  it('may be one that the shell makes for a command', async () => {
    const { start } = await home()
    const line = `"$0" "$1" draft save --json --file <(printf %s '${DRAFT}')`
    const { code, out } = await start('bash', '-c', line, process.execPath, bin).ended
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ title: 'From a pipe' })])
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('ends at the first %s while its writer is silent', async (signal) => {
    const { pipe, save } = await home()
    const running = save(pipe)
    const fd = await openForWriting(pipe)
    running.child.kill(signal)
    expect(await running.ended).toMatchObject(interrupted)
    closeSync(fd)
  })

  it.skipIf(process.platform !== 'linux')('ends at the first signal while it has no writer', async () => {
    const { pipe, save } = await home()
    const running = save(pipe)
    await expect.poll(() => hasOpen(running, pipe)).toBe(true)
    running.child.kill('SIGTERM')
    expect(await running.ended).toMatchObject(interrupted)
  })
})

describe.skipIf(process.platform === 'win32')('standard input that does not end', () => {
  it('ends at the first signal', async () => {
    const { save } = await home()
    const running = save('-')
    // More than a pipe holds: once it is written, the program has begun to read.
    await new Promise((written) => running.child.stdin!.write(' '.repeat(1024 * 1024), written))
    running.child.kill('SIGTERM')
    expect(await running.ended).toMatchObject(interrupted)
  })
})
