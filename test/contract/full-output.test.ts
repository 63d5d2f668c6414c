import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { firstJsonLine, openOnce, program } from './program'

const bin = resolve('bin/studio.js')
const hasFullDevice = existsSync('/dev/full')

/** Runs the program with the full device as standard output, standard error or both. */
function runOnFullDisk(home: string, args: readonly string[], full: readonly ('stdout' | 'stderr')[]) {
  const device = openSync('/dev/full', 'w')
  const result = spawnSync(process.execPath, [bin, ...args], {
    cwd: home,
    env: { PATH: process.env['PATH'], STUDIO_HOME: home },
    encoding: 'utf8',
    stdio: ['ignore', full.includes('stdout') ? device : 'pipe', full.includes('stderr') ? device : 'pipe'],
  })
  closeSync(device)
  return { exitCode: result.status, err: result.stderr }
}

const LOST = 'Standard output cannot be written: the disk is full.'

describe.runIf(hasFullDevice)('output that cannot be written', () => {
  const shared = openOnce(async (atEnd) => {
    const studio = await program(atEnd)
    await studio.json(['draft', 'save', '--title', 'Unload'])
    return studio
  })

  it.each([
    ['--version'],
    ['--help'],
    ['draft', 'list', '--help'],
    ['__complete', 'bash', '--', 'dr'],
    ['completion', 'bash'],
    ['search', 'Unload'],
    ['draft', 'list'],
    ['config', 'list'],
  ])('ends with 7 and one line: studio %s %s %s', async (...words) => {
    const { home } = shared()
    const args = words.filter((word) => word !== undefined)
    const { exitCode, err } = runOnFullDisk(home, args, ['stdout'])
    expect([exitCode, err]).toEqual([7, `error: ${LOST}\n`])
    expect(runOnFullDisk(home, args, ['stdout', 'stderr']).exitCode).toBe(7)
    expect(runOnFullDisk(home, args, ['stderr']).exitCode).toBe(0)
  })

  it('is reported as JSON with --json', async () => {
    for (const args of [
      ['draft', 'list', '--json'],
      ['search', 'Unload', '--json'],
    ]) {
      const { exitCode, err } = runOnFullDisk(shared().home, args, ['stdout'])
      expect(exitCode).toBe(7)
      expect(JSON.parse(err)).toMatchObject({ status: 'error', code: 'disk_full', message: LOST })
    }
  })

  it('leaves the exit code of a command as it is if only its messages are lost', async () => {
    const studio = await program()
    expect(runOnFullDisk(studio.home, ['draft', 'get', '99'], ['stderr']).exitCode).toBe(3)
    expect(runOnFullDisk(studio.home, ['draft', 'save', '--title', 'A'], ['stderr']).exitCode).toBe(0)
    expect(await studio.json(['draft', 'list'])).toMatchObject([{ title: 'A' }])
  })

  it('does not stop a service, whose log goes on later', async () => {
    const studio = await program()
    const running = studio.start(['serve', '--port', '0', '--json', '--log-file', '/dev/full'])
    const { url } = await firstJsonLine(running)
    for (let i = 0; i < 20; i++) expect((await fetch(`${url}/api/stories/saved`)).status).toBe(200)
    running.kill('SIGTERM')
    expect((await running).exitCode).toBe(0)
  })
})
