import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { listLoaded } from './loaded-files'
import { firstJsonLine, type Program, programIn } from './program'

/** Copies of one home with the sandbox's first feature in it. */
let filled: string

beforeAll(async () => {
  filled = await mkdtemp(join(tmpdir(), 'studio-contract-'))
  await programIn(filled).json(['import', '101'])
})
afterAll(() => rm(filled, { recursive: true, force: true }))

async function home(): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'studio-contract-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await cp(filled, folder, { recursive: true, preserveTimestamps: true })
  return programIn(folder)
}

describe('a search on the command line', () => {
  it.each([
    ['door'],
    ['"dock door"', '--limit', '2'],
    ['state:Active', '--type', 'devops'],
    ['-door', 'gate'],
    ['type:bug no:assignee'],
    ['104'],
    ['drafts'],
    ['nothingatall'],
  ])('%j is answered out of the files as by the ordinary way', async (...args) => {
    const studio = await home()
    const inMemory = { env: { STUDIO_SEARCH_INDEX: 'off' } }
    expect(await studio.json(['search', ...args])).toEqual(await studio.json(['search', ...args], inMemory))
    expect((await studio.run(['search', ...args])).out).toBe((await studio.run(['search', ...args], inMemory)).out)
  })

  it('opens no database, and loads no schemas and no engine, once there is an index and the settings were checked', async () => {
    const studio = await home()
    await studio.run(['search', 'door'])
    const scripts = await listLoaded(async (env) => {
      await studio.run(['search', 'door'], { env })
    })
    expect(scripts.length).toBeGreaterThan(1)
    for (const script of scripts)
      expect(await readFile(script, 'utf8')).not.toMatch(/ZodObject|sql-wasm|SelectQueryBuilder/)
  })

  it('finds what another process has just saved, changed or deleted', async () => {
    const studio = await home()
    const { id } = await studio.json(['copy-sanitize', '204', '--title-suffix', 'Xylophone'])
    expect((await studio.json(['search', 'xylophone'])).results).toMatchObject([{ type: 'draft', id }])
  })

  it.each<[string, string[], RegExp]>([
    ['no words', ['search'], /query/],
    ['a limit that is none', ['search', 'door', '--limit', 'many'], /limit/i],
    ['a type that is none', ['search', 'door', '--type', 'bug'], /type/i],
    ['an unknown flag', ['search', 'door', '--nope'], /--nope/],
    ['nobody behind @me', ['search', 'assignee:@me'], /@me/],
  ])('refuses %s', async (_, args, message) => {
    const { exitCode, err } = await (await home()).run(args)
    expect(exitCode).toBe(2)
    expect(err).toMatch(message)
  })

  it('marks the hits in colour where colour is wanted', async () => {
    const { out } = await (await home()).run(['search', 'door'], { env: { FORCE_COLOR: '1' } })
    expect(out).toMatch(/\u001b\[1m\u001b\[33m[Dd]oors?\u001b/)
  })

  it('opens the page of the first hit that has one, while the sandbox serves it', async () => {
    const studio = await home()
    const opener = join(studio.home, 'opener')
    await writeFile(opener, `#!/bin/sh\necho "$1" > ${join(studio.home, 'opened')}\n`, { mode: 0o755 })
    const { exitCode, err } = await studio.run(['search', '204', '--open'], { env: { BROWSER: opener } })
    if (exitCode === 0) {
      // A sandbox of this machine serves its pages at the usual port.
      const opened = () => readFile(join(studio.home, 'opened'), 'utf8').catch(() => '')
      await expect.poll(opened).toMatch(/^https?:.*204\n$/)
    } else expect(err).toMatch(/studio sandbox/)
    expect((await studio.run(['search', 'type:folder', '--open'], { env: { BROWSER: opener } })).exitCode).toBe(3)
  })
})

describe('the index', () => {
  it('is repaired by the search that finds it damaged, which says so', async () => {
    const studio = await home()
    const folder = join(studio.home, 'studio.db.search')
    const before = await studio.json(['search', 'door'])
    for (const file of (await readdir(folder)).filter((name) => name.endsWith('.segment'))) {
      await writeFile(join(folder, file), 'not what was written')
    }
    const repairing = await studio.run(['search', 'door', '--json'])
    expect([JSON.parse(repairing.out), repairing.err]).toEqual([before, expect.stringMatching(/damaged/)])
    expect((await studio.run(['search', 'door', '--json'])).err).toBe('')
  })

  it('may be gone, or the folder not writable: search answers all the same', async () => {
    const studio = await home()
    const before = await studio.json(['search', 'door'])
    await rm(join(studio.home, 'studio.db.search'), { recursive: true })
    await writeFile(join(studio.home, 'studio.db.search'), 'a file in its place')
    const { out, err } = await studio.run(['search', 'door', '--json'])
    expect([JSON.parse(out), err]).toEqual([before, expect.stringMatching(/in memory/)])
  })

  it('is shown and made anew on the command line and over HTTP', async () => {
    const studio = await home()
    const stats = await studio.json(['index', 'stats'])
    expect(stats).toMatchObject({ entities: { devops: 30, draft: 0, folder: 1 }, total: 31, kept: 'files' })
    expect(stats.terms).toBeGreaterThan(100)
    expect(stats.bytes).toBeGreaterThan(1_000)
    expect(stats.lastIndexedAt).toMatch(/^\d{4}-.*Z$/)
    const { url } = await firstJsonLine(studio.start(['serve', '--port', '0', '--json']))
    expect(await (await fetch(`${url}/api/search/stats`)).json()).toEqual(stats)
    const rebuilt = await (await fetch(`${url}/api/search/reindex`, { method: 'POST' })).json()
    expect(rebuilt).toMatchObject({ entities: stats.entities, terms: stats.terms, durationMs: expect.any(Number) })
    const answer = await (await fetch(`${url}/api/search/fast?q=door&limit=2`)).json()
    expect(answer).toEqual(await studio.json(['search', 'door', '--limit', '2']))
  })
})
