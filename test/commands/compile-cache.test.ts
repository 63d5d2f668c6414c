import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { openStudio } from '../../src/library'
import { defaultBudget } from '../../src/storage/embedded/engine/load-sqlite'
import { expectOwnerOnly } from '../file-mode'
import { temporaryFolder } from '../temporary-folder'

const keepsItsOwn = Number.parseInt(process.versions.node, 10) < 22

async function runStudio(home: string, env: Record<string, string> = {}) {
  const { stdout } = await run(home, ['folder', 'list', '--sort', 'id', '--json'], env)
  return JSON.parse(stdout)
}

const run = (home: string, args: string[], env: Record<string, string> = {}) =>
  execa(process.execPath, [resolve('bin/studio.js'), ...args], {
    env: {
      PATH: process.env['PATH'],
      STUDIO_HOME: home,
      XDG_CACHE_HOME: join(home, 'cache'),
      LOCALAPPDATA: join(home, 'cache'),
      HOME: home,
      ...env,
    },
    extendEnv: false,
    reject: false,
  })

const filesIn = (home: string) =>
  readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.parentPath.includes('compiled'))
    .map((entry) => join(entry.parentPath, entry.name))
const sizesOf = (files: string[]) => new Map(files.map((file) => [file, statSync(file).size]))
const stampsOf = (files: string[]) => files.map((file) => `${file} ${statSync(file).ino}`)

describe('what V8 has compiled of the program', () => {
  it('is kept for this user alone, and the next process takes it', async () => {
    const home = temporaryFolder()
    await runStudio(home)
    const files = filesIn(home)
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) expectOwnerOnly(file)
    for (let writer = 2; writer <= 4; writer++) await runStudio(home)
    const stamps = stampsOf(filesIn(home))
    await runStudio(home)
    expect(stampsOf(filesIn(home))).toEqual(stamps)
  })

  it.runIf(keepsItsOwn)('gets the functions that the first process did not call', async () => {
    const home = temporaryFolder()
    expect((await run(home, ['draft', 'get', '--nonsense'])).exitCode).toBe(2)
    const before = sizesOf(filesIn(home))
    expect((await run(home, ['draft', 'get', '1'])).exitCode).toBe(3)
    const after = sizesOf(filesIn(home))
    const largest = [...before.keys()].reduce((one, other) => (before.get(one)! > before.get(other)! ? one : other))
    expect(after.get(largest)).toBeGreaterThan(1.2 * before.get(largest)!)
  })

  it.runIf(keepsItsOwn)('is compiled again where a file of it is damaged', async () => {
    const home = temporaryFolder()
    // The first process also runs what creates the tables, which no other one takes.
    await runStudio(home, { NODE_DISABLE_COMPILE_CACHE: '1' })
    const drafts = await runStudio(home)
    for (const file of filesIn(home)) {
      const bytes = readFileSync(file)
      bytes[bytes.length >> 1]! ^= 0x10
      writeFileSync(file, bytes)
    }
    const damaged = filesIn(home).map((file) => readFileSync(file))
    expect(await runStudio(home)).toEqual(drafts)
    for (const [i, file] of filesIn(home).entries()) expect(readFileSync(file).equals(damaged[i]!)).toBe(false)
  })

  it.runIf(keepsItsOwn && process.platform !== 'win32')(
    'is not taken from a folder that others can write to',
    async () => {
      const home = temporaryFolder()
      const folder = join(temporaryFolder(), 'compiled')
      await runStudio(home, { NODE_COMPILE_CACHE: folder })
      const stamps = stampsOf(filesIn(folder))
      chmodSync(folder, 0o777)
      writeFileSync(stamps[0]!.split(' ')[0]!, 'not what V8 compiled')
      expect(await runStudio(home, { NODE_COMPILE_CACHE: folder })).toHaveLength(1)
      expect(stampsOf(filesIn(folder))).toEqual(stamps)
    },
  )

  it('is left to whoever sets NODE_DISABLE_COMPILE_CACHE', async () => {
    const home = temporaryFolder()
    await runStudio(home, { NODE_DISABLE_COMPILE_CACHE: '1' })
    expect(filesIn(home)).toEqual([])
  })
})

it('the budget of WebAssembly goes back to the default of V8', async () => {
  const { stdout } = await execa(process.execPath, ['--v8-options'])
  expect(stdout).toMatch(new RegExp(`default: --wasm-tiering-budget=${defaultBudget()}\\r?$`, 'm'))
})

it('a command does not start the optimizing compiler of WebAssembly, which a process waits for at its end', async () => {
  const home = temporaryFolder()
  const studio = openStudio({ env: { STUDIO_HOME: home }, cwd: home })
  for (let i = 0; i < 400; i++)
    await studio.call('drafts.save', { title: `Draft ${i}`, description: 'Trucks wait. '.repeat(100) })
  await studio.close()
  const { stdout } = await execa(
    process.execPath,
    ['--trace-wasm-compilation-times', resolve('bin/studio.js'), 'draft', 'list', '--search', 'trucks', '--json'],
    { env: { PATH: process.env['PATH'], STUDIO_HOME: home, HOME: home }, extendEnv: false },
  )
  expect(stdout).toContain('using Liftoff')
  expect(stdout).not.toContain('using TurboFan')
})
