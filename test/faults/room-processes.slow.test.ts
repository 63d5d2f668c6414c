import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Database, openDatabase, tables } from '../../src/storage'
import { migrations } from '../../src/studio'
import { firstJsonLine, program } from '../contract/program'
import { type Dock, expectApart, readDock } from '../docks/booking/room-oracle'
import { describeWithPostgres } from '../storage/postgres/server'
import { isLong, momentsUpTo } from './moments'

const KILLS = isLong ? 30 : 3
const HOURS = ['06:00', '07:00', '08:00', '09:00', '10:00', '11:00']
const STUCK = 'STUCK'

/** At each hour of a date, an ordinary load is at the door Cold, the only one for refrigerated loads. The door Other is free. */
async function openSite(address: string | null) {
  const studio = await program()
  const env: Record<string, string> = address === null ? {} : { STUDIO_DB: address }
  const json = (args: string[]) => studio.json(args, { env })
  const site = ['--code', 'DC1', '--name', 'North', '--time-zone', 'Etc/UTC', '--queue', 'daily 06:00-12:00']
  await json(['facility', 'create', ...site, '--door', 'Other', '--make-room', 'ask'])
  await json(['door', 'add', '--facility', 'DC1', '--name', 'Cold', '--features', 'reefer', '--position', '1'])
  const { key } = await json(['tenant', 'key', 'create'])
  const db = await openDatabase(address ?? join(studio.home, 'studio.db'), migrations)
  onTestFinished(() => db.close())
  const start = async () => {
    const running = studio.start(['serve', '--port', '0', '--json'], env)
    return { running, url: (await firstJsonLine(running)).url as string }
  }
  const book = async (url: string, referenceNumber: string, more: object) => {
    const load = { facilityCode: 'DC1', type: 'delivery', carrierName: 'Acme', durationMinutes: 60, referenceNumber }
    const headers = { 'content-type': 'application/json', 'x-api-key': key, 'idempotency-key': referenceNumber }
    const body = JSON.stringify({ ...load, ...more })
    const response = await fetch(`${url}/api/appointments/auto-schedule`, { method: 'POST', headers, body })
    return { status: response.status, body: (await response.json()) as any }
  }
  const fill = async (url: string, targetDate: string) => {
    for (const startTime of HOURS) {
      const { body } = await book(url, `${targetDate}-${startTime}`, { targetDate, startTime })
      expect(body.data.doorName).toBe('Cold')
    }
  }
  const bookCold = (url: string, reference: string, targetDate: string, startTime: string) =>
    book(url, reference, { targetDate, startTime, requirements: ['reefer'], makeRoom: true })
  return { db, start, fill, bookCold, read: () => readDock(db, 'DC1', Date.now()) }
}

/** Asserts that each booking that made room is there with its one move, and each move with its booking. Returns how many there are. */
function expectAllOrNothing(dock: Dock): number {
  expectApart(dock)
  const booked = dock.stays.filter(({ needs }) => needs.length > 0)
  const moves = dock.changes.filter(({ caller }) => caller === 'make-room')
  expect(moves.map(({ madeRoomFor }) => madeRoomFor).sort()).toEqual(booked.map(({ id }) => id).sort())
  const nameOf = (doorId: string) => dock.doors.find(({ id }) => id === doorId)!.name
  for (const stay of dock.stays) {
    const own = moves.filter(({ appointmentId }) => appointmentId === stay.id)
    const isMoved = stay.needs.length === 0 && booked.some(({ from }) => from === stay.from)
    expect([own.length, stay.sequence, nameOf(stay.doorId)]).toEqual(isMoved ? [1, 1, 'Other'] : [0, 0, 'Cold'])
  }
  return booked.length
}

/** Stops the transaction that books the reference STUCK between its moves and its booking. */
interface Stop {
  install(db: Database): Promise<void>
  isReached(url: string): Promise<boolean>
  release(db: Database): Promise<void>
}

function testRoom(createAddress: () => Promise<string | null>, stopOn: (address: string | null) => Promise<Stop>) {
  it('goes to one of several callers of several processes, and a repeated request gets its answer again', async () => {
    const { start, fill, bookCold, read } = await openSite(await createAddress())
    const servers = await Promise.all([start(), start()])
    const date = '2055-03-01'
    await fill(servers[0]!.url, date)
    const calls = HOURS.flatMap((hour) => [0, 1, 2, 3].map((client) => ({ hour, client, key: `${hour}-${client}` })))
    const send = (process: number) =>
      Promise.all(calls.map(({ hour, client, key }) => bookCold(servers[(client + process) % 2]!.url, key, date, hour)))
    const answers = await send(0)
    for (const hour of HOURS) {
      const own = answers.filter((_, index) => calls[index]!.hour === hour)
      expect(own.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
      for (const { status, body } of own)
        expect(status === 200 ? body.moves.length : body.code).toBe(status === 200 ? 1 : 'slot_unavailable')
    }
    const after = await read()
    expect(expectAllOrNothing(after)).toBe(HOURS.length)
    // The request ID is of each request.
    const withoutId = (list: typeof answers) =>
      list.map(({ status, body: { requestId: _, ...body } }) => [status, body])
    expect(withoutId(await send(1))).toEqual(withoutId(answers))
    expect({ ...(await read()), now: after.now }).toEqual(after)
  })

  it('is not made if the process is killed between the moves and the booking', async () => {
    const address = await createAddress()
    const { db, start, fill, bookCold, read } = await openSite(address)
    const date = '2055-03-01'
    const server = await start()
    await fill(server.url, date)
    const before = await read()
    const stop = await stopOn(address)
    await stop.install(db)
    const call = bookCold(server.url, STUCK, date, '08:00').catch(() => null)
    await expect.poll(() => stop.isReached(server.url)).toBe(true)
    expect({ ...(await read()), now: before.now }).toEqual(before)
    server.running.kill('SIGKILL')
    expect(await call).toBeNull()
    await stop.release(db)
    const next = await start()
    expect(await bookCold(next.url, STUCK, date, '08:00')).toMatchObject({ status: 200, body: { moves: [{}] } })
    expect(expectAllOrNothing(await read())).toBe(1)
  })

  it('is made completely or not at all whenever the process is killed, and a retry completes it once', async () => {
    const { start, fill, bookCold, read } = await openSite(await createAddress())
    for (const [round, moment] of momentsUpTo(150, KILLS).entries()) {
      const date = `2055-03-${String(round + 1).padStart(2, '0')}`
      const server = await start()
      await fill(server.url, date)
      const send = (url: string) =>
        HOURS.flatMap((hour) => [0, 1].map((client) => bookCold(url, `${date}-${hour}-${client}`, date, hour)))
      const sent = Promise.allSettled(send(server.url))
      await sleep(moment)
      server.running.kill('SIGKILL')
      const promised = (await sent).flatMap((one) =>
        one.status === 'fulfilled' && one.value.status === 200 ? [one.value.body.data.id] : [],
      )
      const dock = await read()
      expectAllOrNothing(dock)
      expect(dock.stays.map(({ id }) => id)).toEqual(expect.arrayContaining(promised))
      const next = await start()
      const won = (await Promise.all(send(next.url))).filter(({ status }) => status === 200)
      expect(won.map(({ body }) => body.data.id)).toEqual(expect.arrayContaining(promised))
      expect([won.length, expectAllOrNothing(await read())]).toEqual([HOURS.length, HOURS.length * (round + 1)])
      next.running.kill('SIGTERM')
      await next.running
    }
  })
}

const run = (db: Database, statement: string) =>
  db.write((tx) => sql.raw(statement).execute(tables<any>(tx)), { changesSchema: true })

/** The statement that inserts the booking never ends, and the process answers nothing meanwhile. */
const endlessInsert: Stop = {
  async install(db) {
    await run(
      db,
      'create view endless as with recursive n(i) as (select 1 union all select i + 1 from n) select i from n',
    )
    await run(
      db,
      `create trigger stop before insert on appointment when new.reference_number = '${STUCK}' begin select count(*) from endless; end`,
    )
  },
  isReached: (url) =>
    fetch(`${url}/api/health`, { signal: AbortSignal.timeout(2_000) }).then(
      () => false,
      () => true,
    ),
  release: async (db) => {
    await run(db, 'drop trigger stop')
  },
}

/** The statement that inserts the booking waits for a lock of the test. */
function lockedInsert(query: (text: string) => Promise<any[]>): Stop {
  return {
    async install(db) {
      await query('select pg_advisory_lock(1)')
      await run(
        db,
        `create function stop() returns trigger language plpgsql as
         $$ begin if new.reference_number = '${STUCK}' then perform pg_advisory_xact_lock(1); end if; return new; end $$`,
      )
      await run(db, 'create trigger stop before insert on appointment for each row execute function stop()')
    },
    isReached: async () =>
      (await query(`select 1 from pg_locks where locktype = 'advisory' and not granted`)).length > 0,
    release: async () => {
      await query('select pg_advisory_unlock(1)')
    },
  }
}

describe('room on one file', () => {
  testRoom(
    async () => null,
    async () => endlessInsert,
  )
})

describeWithPostgres('room on a server', (server) => {
  testRoom(
    () => server().createDatabase(),
    async (address) => {
      const client = new pg.Client({ connectionString: address! })
      await client.connect()
      onTestFinished(() => client.end())
      return lockedInsert(async (text) => (await client.query(text)).rows)
    },
  )
})
