import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import { openStudio } from '../../src/library'
import { tables } from '../../src/storage'
import { openFile } from '../../src/storage/embedded/engine/open-file'
import { migrations } from '../../src/studio'
import { APPOINTMENTS_A_FACILITY, DOORS, doorRow, facilityRow, seedAppointments, TENANT } from './dock-seed'
import { median, printFigure, ratioInTurn } from './figures'
import { measureFirstAnswer } from './first-answer'
import { limitMemory, type MemoryLimit } from './memory-limit'

const MB = 1_000_000
const ROUNDS = 11
/** Appointments in one transaction. */
const BATCH = 20_000
const bin = resolve('bin/studio.js')

/** Measures whole processes on a database of this size against the same on one of a megabyte, in turn. */
export async function measureSizes(megabytes = 1_000): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-bench-'))
  try {
    const [small, large] = [join(folder, 'small'), join(folder, 'large')]
    const [few, many] = [await fillHome(small, MB), await fillHome(large, megabytes * MB)]
    console.log(`  appointments: ${many} in the large database, ${few} in the small one`)
    const compare = new Comparison({ folder, small, large })
    await compare.run()
    await fillLog(large)
    await compare.run(', with a long log')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The database is this many times larger than the memory that a process may use. */
const TIMES_LARGER = 20

/** Runs commands and a service on a database that is much larger than the memory that the system gives them. */
export async function measureUnderLimit(megabytes = 2_000): Promise<void> {
  const limit = limitMemory((megabytes * MB) / TIMES_LARGER)
  if (limit === null) return console.log('  a limit of memory needs control groups, and the right to make one')
  const home = mkdtempSync(join(tmpdir(), 'studio-bench-'))
  try {
    await fillHome(home, megabytes * MB)
    console.log(
      `  a database of ${Math.round(measureFiles(home).bytes / MB)} MB, ${megabytes / TIMES_LARGER} MB of memory`,
    )
    const run = (words: string[]) => {
      const [program, args] = limit.wrap(process.execPath, [bin, ...words])
      const { status, stderr } = spawnSync(program, args, { env: environmentOf(home), encoding: 'utf8' })
      if (status !== 0) throw new Error(`studio ${words.join(' ')} ended with ${status}: ${stderr}`)
    }
    const book = [
      'book',
      '--facility',
      'DC1',
      '--type',
      'delivery',
      '--carrier',
      'Blue Freight',
      '--date',
      '2031-02-05',
    ]
    const commands = [
      ['draft', 'list'],
      ['item', 'get', '101', '--cached'],
      ...['A', 'B', 'C'].map((reference) => [...book, '--reference', reference]),
      ['appointment', 'list', '--facility', 'DC1'],
    ]
    for (const words of commands) run(words)
    printFigure({ name: 'commands that ended well within the limit', value: commands.length, unit: '', decimals: 0 })
    const served = await serveUnderLimit(home, limit)
    printFigure({ name: 'bookings of a service within it', value: served, unit: '', decimals: 0, atLeast: REQUESTS })
    printFigure({ name: 'processes that the system ended', value: limit.killed(), unit: '', decimals: 0, atMost: 0 })
  } finally {
    limit.remove()
    rmSync(home, { recursive: true, force: true })
  }
}

const REQUESTS = 500

/** Books one appointment after another. Returns how many were booked. */
async function serveUnderLimit(home: string, limit: MemoryLimit): Promise<number> {
  const key = JSON.parse(
    spawnSync(process.execPath, [bin, 'tenant', 'key', 'create', '--json'], {
      env: environmentOf(home),
      encoding: 'utf8',
    }).stdout,
  ).key as string
  const [program, args] = limit.wrap(process.execPath, [bin, 'serve', '--port', '0', '--json', '--quiet'])
  const child = spawn(program, args, { env: environmentOf(home), stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(child, 'exit')
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const { url } = JSON.parse(String(line)) as { url: string }
  let answered = 0
  const firstDay = Date.parse('2032-01-01')
  for (let i = 0; i < REQUESTS; i++) {
    const booking = {
      facilityCode: 'DC1',
      type: 'delivery',
      carrierName: 'Blue Freight',
      referenceNumber: `LIMIT-${i}`,
      targetDate: new Date(firstDay + (i % 100) * 86_400_000).toISOString().slice(0, 10),
      durationMinutes: 30,
    }
    const answer = await fetch(`${url}/api/appointments/auto-schedule`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
      body: JSON.stringify(booking),
    })
    await answer.arrayBuffer()
    if (answer.ok) answered += 1
  }
  child.kill()
  await ended
  return answered
}

class Comparison {
  readonly #small: string
  readonly #large: string
  /** Makes a process report its peak memory when it ends. Linux counts that of the process that started it as well, but not there. */
  readonly #reporter: string
  #booked = 0

  constructor({ folder, small, large }: { folder: string; small: string; large: string }) {
    this.#small = small
    this.#large = large
    this.#reporter = join(folder, 'report-peak.cjs')
    writeFileSync(
      this.#reporter,
      `process.on('exit', () => {
        const { readFileSync, writeSync } = require('node:fs')
        const status = process.platform === 'linux' ? readFileSync('/proc/self/status', 'utf8') : ''
        writeSync(2, 'peak ' + (/VmHWM:\\s*(\\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS))
      })`,
    )
  }

  async run(suffix = ''): Promise<void> {
    spawnSync('sync') // what was written to fill the databases
    const { bytes, segments } = measureFiles(this.#large)
    console.log(`  a database of ${Math.round(bytes / MB)} MB with ${segments} segments of the log`)
    await this.#compareCommand(`draft list${suffix}`, () => ['draft', 'list'])
    await this.#compareCommand(`draft list --json${suffix}`, () => ['draft', 'list', '--json'])
    await this.#compareCommand(`draft list by the full program${suffix}`, () => ['draft', 'list', '--search', 'trucks'])
    await this.#compareCommand(`item get --cached${suffix}`, () => ['item', 'get', '101', '--cached', '--json'])
    const book = () => [
      ...['book', '--facility', 'DC1', '--type', 'delivery', '--carrier', 'Blue Freight', '--json'],
      ...[
        '--reference',
        `PO-${++this.#booked}`,
        '--date',
        `2031-${1 + (this.#booked % 12)}-05`.replace(/-(\d)-/, '-0$1-'),
      ],
    ]
    await this.#compareCommand(`book${suffix}`, book, 1.1)
    const serve = (home: string) => () => measureFirstAnswer(bin, environmentOf(home))
    printFigure({
      name: `serve until its first answer${suffix}, large ÷ 1 MB`,
      value: await ratioInTurn(5, serve(this.#large), serve(this.#small)),
      atMost: 1.15,
    })
  }

  async #compareCommand(name: string, words: () => string[], atMost = 1.15): Promise<void> {
    const peaks: number[] = []
    const times: number[] = []
    const timed = (home: string) => async () => {
      const { elapsed, peak } = this.#runCommand(home, words())
      if (home === this.#large) {
        peaks.push(peak)
        times.push(elapsed)
      }
      return elapsed
    }
    const value = await ratioInTurn(ROUNDS, timed(this.#large), timed(this.#small))
    printFigure({ name: `${name}, large ÷ 1 MB`, value, atMost })
    printFigure({ name: '  its time', value: median(times), unit: 'ms', decimals: 0 })
    printFigure({ name: '  its peak memory', value: median(peaks), unit: 'MB', decimals: 0, atMost: 90 })
  }

  #runCommand(home: string, words: string[]): { elapsed: number; peak: number } {
    const startedAt = performance.now()
    const { status, stderr } = spawnSync(process.execPath, ['--require', this.#reporter, bin, ...words], {
      env: environmentOf(home),
      encoding: 'utf8',
    })
    const elapsed = performance.now() - startedAt
    if (status !== 0) throw new Error(`studio ${words.join(' ')} failed: ${stderr}`)
    return { elapsed, peak: Number(/peak (\d+)/.exec(stderr)?.[1] ?? Number.NaN) / 1024 }
  }
}

function environmentOf(home: string): NodeJS.ProcessEnv {
  return { ...process.env, STUDIO_HOME: home, NODE_OPTIONS: '' }
}

const databaseOf = (home: string) => join(home, 'studio.db')

function measureFiles(home: string): { bytes: number; segments: number } {
  const names = readdirSync(home).filter((name) => /^studio\.db(\.log\.\d+)?$/.test(name))
  return {
    bytes: names.reduce((sum, name) => sum + statSync(join(home, name)).size, 0),
    segments: names.length - 2,
  }
}

/**
 * Creates an item, drafts, a facility that is booked, and appointments of other facilities until the database has this size. Returns the
 * number of appointments.
 */
async function fillHome(home: string, bytes: number): Promise<number> {
  const studio = openStudio({ env: environmentOf(home), cwd: tmpdir() })
  await studio.call('features.import', { featureId: 101 })
  await studio.call('facilities.create', {
    code: 'DC1',
    name: 'North',
    timeZone: 'America/Chicago',
    queues: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], start: '06:00', end: '18:00' }],
    doors: [{ name: 'Door 1', types: ['pickup', 'delivery'] }],
  })
  for (let i = 0; i < 20; i++)
    await studio.call('drafts.save', { title: `Draft ${i}`, description: `Trucks wait at gate ${i}. `.repeat(40) })
  await studio.close()
  let appointments = 0
  while (measureFiles(home).bytes < bytes) appointments = await addAppointments(home, appointments, bytes)
  return appointments
}

/** Adds appointments until the database has this size, and closes it. Returns the number of the next one. */
async function addAppointments(home: string, first: number, bytes: number): Promise<number> {
  const db = await openFile(databaseOf(home), migrations, { cacheBytes: 64 * MB })
  let next = first
  for (let i = 0; i < 10 && measureFiles(home).bytes < bytes; i++, next += BATCH) {
    const count = Math.min(BATCH, Math.ceil((bytes - measureFiles(home).bytes) / 700))
    await db.write(async (tx) => {
      const insert = (table: string, row: object) => tables<any>(tx).insertInto(table).values(row).execute()
      for (let number = next; number < next + count; number += APPOINTMENTS_A_FACILITY) {
        const facility = number / APPOINTMENTS_A_FACILITY
        await insert('facility', { ...facilityRow(facility), tenant_id: TENANT })
        for (let door = 0; door < DOORS; door++) await insert('door', doorRow(facility, door))
      }
      const numbers = `from (with recursive numbers(number) as (select ${next} union all select number + 1 from numbers where number < ${next + count - 1}) select number from numbers))`
      await sql.raw(seedAppointments.replace('from numbers)', numbers)).execute(tables<any>(tx))
    })
  }
  await db.close()
  return next
}

/** Changes every fifth appointment, and ends like a process that is killed before it compacts. */
async function fillLog(home: string): Promise<void> {
  const db = await openFile(databaseOf(home), migrations, { compactsInProcess: true, cacheBytes: 64 * MB })
  const { rows } = await db.read((tx) =>
    sql<{ last: number }>`select max(rowid) as last from appointment`.execute(tables<any>(tx)),
  )
  const step = Math.ceil(rows[0]!.last / COMMITS)
  for (let first = 1; first <= rows[0]!.last; first += step) {
    const change = sql`update appointment set load_description = hex(zeroblob(60))
      where rowid between ${first} and ${first + step - 1} and rowid % 5 = 0`
    await db.write((tx) => change.execute(tables<any>(tx)))
  }
}

const COMMITS = 40
