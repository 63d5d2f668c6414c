import { existsSync, readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { describeWithPostgres } from '../storage/postgres/server'
import { openSite, type Site } from './archive-site'
import { isLong } from './moments'

const COUNT = isLong ? 20_000 : 1_500

/** The pause between two looks. */
const STEP_MS = 10

/** A program that runs this first stops itself when it has computed for a few milliseconds: it does not go on while a busy machine is late for the next look. */
const STOPS_ITSELF = `
  import { isMainThread } from 'node:worker_threads'
  const usedMs = () => process.cpuUsage().user / 1_000
  let before = usedMs()
  const stop = () => {
    if (usedMs() - before < 5) return
    process.kill(process.pid, 'SIGSTOP')
    before = usedMs()
  }
  if (isMainThread) setInterval(stop, 1).unref()
`

// Windows has no signal that stops a process.
const canStop = process.platform !== 'win32'

/** Starts a command, and kills it as soon as the condition holds. It is paused during a look. Returns false if it ended before. */
async function killWhen({ studio, env }: Site, args: string[], condition: () => boolean | Promise<boolean>) {
  const stops = canStop ? `--import=data:text/javascript,${encodeURIComponent(STOPS_ITSELF)}` : ''
  const running = studio.start(args, { ...env, NODE_OPTIONS: `${env['NODE_OPTIONS']} ${stops}` })
  let hasEnded = false
  void running.then(() => {
    hasEnded = true
  })
  const send = (signal: NodeJS.Signals) => canStop && running.kill(signal)
  while (!hasEnded) {
    send('SIGSTOP')
    if (await condition()) break
    send('SIGCONT')
    await sleep(STEP_MS)
  }
  running.kill('SIGKILL')
  return (await running).isTerminated
}

/** Every appointment is in the database as it was, or in the file. */
async function expectNothingLost(site: Site, all: ReadonlyMap<string, string>) {
  const stored = await site.readDatabase()
  const archived = new Set(await site.readFile())
  for (const [id, row] of all) if (stored.get(id) !== row) expect([id, archived.has(id)]).toEqual([id, true])
  for (const id of [...stored.keys(), ...archived]) expect(all.has(id)).toBe(true)
}

/** How long the log of a file is depends on when it was last compacted, and one beyond a limit cannot grow. A restored file begins a new one. */
async function beginNewLog({ studio, env }: Site) {
  await studio.json(['backup', 'copy.db'], { env })
  await studio.json(['restore', 'copy.db', '--yes'], { env })
}

function testFaults(createAddress: () => Promise<string | null>): void {
  it('is complete after it was killed at each step and run again, and is never lost', async () => {
    const site = await openSite(COUNT, await createAddress())
    const { studio, path, env, archive, unarchive } = site
    const all = await site.readDatabase()
    const isBegun = () => readdirSync(studio.home).some((name) => name.startsWith('old.gz.') && name.endsWith('.tmp'))

    expect(await killWhen(site, archive, isBegun)).toBe(true)
    expect(existsSync(path)).toBe(false)
    expect(await site.readDatabase()).toEqual(all)

    expect(await killWhen(site, archive, () => existsSync(path))).toBe(true)
    expect(new Set(await site.readFile())).toEqual(new Set(all.keys()))
    await expectNothingLost(site, all)

    expect(await killWhen(site, archive, async () => (await site.countStored()) < COUNT)).toBe(true)
    expect(await site.countStored()).toBeGreaterThan(0)
    await expectNothingLost(site, all)

    const report = { archived: COUNT, changed: 0, elsewhere: 0, remaining: 0 }
    expect(await studio.json(archive, { env })).toMatchObject(report)
    expect(await site.countStored()).toBe(0)

    expect(await killWhen(site, unarchive, async () => (await site.countStored()) > 0)).toBe(true)
    const restored = await site.countStored()
    await expectNothingLost(site, all)
    expect(await studio.json(unarchive, { env })).toMatchObject({
      restored: COUNT - restored,
      present: restored,
      refused: 0,
    })
    expect(await site.readDatabase()).toEqual(all)
  })

  // Windows has no limit on the size of files.
  it.skipIf(process.platform === 'win32')(
    'keeps all appointments, and no part of a file, when the file cannot grow',
    async () => {
      const address = await createAddress()
      const site = await openSite(COUNT, address)
      const all = await site.readDatabase()
      if (address === null) await beginNewLog(site)
      // A write beyond the limit fails as on a full disk. What a command writes to the database before the archive is smaller.
      const args = ['-c', 'ulimit -f 100; exec "$@"', 'sh', process.execPath, 'bin/studio.js', ...site.archive]
      const env = { ...site.env, STUDIO_HOME: site.studio.home, PATH: process.env['PATH'] ?? '' }
      const { exitCode, stderr } = await execa('sh', args, { env, extendEnv: false, reject: false })
      expect([exitCode, stderr]).toEqual([
        7,
        expect.stringMatching(/old\.gz: it has reached the limit on the size of files/),
      ])
      expect(readdirSync(site.studio.home).filter((name) => name.startsWith('old.gz'))).toEqual([])
      expect(await site.readDatabase()).toEqual(all)
    },
  )

  it('is moved once when two commands archive it at the same time', async () => {
    const site = await openSite(COUNT, await createAddress())
    const { studio, path, env, archive } = site
    const all = await site.readDatabase()
    const [same, other] = [archive, archive.map((arg) => (arg === path ? `${path}.2` : arg))]
    const [one, two] = await Promise.all([same, other].map((args) => studio.json(args!, { env })))
    expect(one.archived + two.archived).toBe(COUNT)
    for (const { archived, changed, elsewhere } of [one, two])
      expect([archived + elsewhere, changed]).toEqual([COUNT, 0])
    await studio.json(['appointment', 'unarchive', path], { env })
    expect(await studio.json(['appointment', 'unarchive', `${path}.2`], { env })).toMatchObject({ restored: 0 })
    expect(await site.readDatabase()).toEqual(all)
  })
}

describe('an archive of a database in a file', () => testFaults(async () => null))
describeWithPostgres('an archive of a database on a server', (server) => testFaults(() => server().createDatabase()))
