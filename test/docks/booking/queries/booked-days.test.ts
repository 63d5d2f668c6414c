import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { accessMigration } from '../../../../src/access'
import { docksMigration } from '../../../../src/docks'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { confirmHold } from '../../../../src/docks/booking/operations/confirm-hold'
import { createHold } from '../../../../src/docks/booking/operations/create-hold'
import { rescheduleAppointment } from '../../../../src/docks/booking/operations/reschedule-appointment'
import type { BusySpan } from '../../../../src/docks/booking/rules/spans'
import { createFacility } from '../../../../src/docks/facilities/operations/create-facility'
import { insertWebhook, listBusySpans, listWebhooks } from '../../../../src/docks/queries'
import { type Database, derivedValues, openDatabase, type ReadTx, tables } from '../../../../src/storage'
import { newPath } from '../../../storage/embedded/note-database'
import { DC1, type DockOffice, load, NOW, openDockOffice } from '../../dock-fixtures'
import { newWebhook } from '../../events/webhook-fixtures'

const DAY_MS = 86_400_000
const WEEK = { from: Date.parse('2026-11-16T00:00:00Z'), to: Date.parse('2026-11-23T00:00:00Z') }

/** Two processes with one database in a file. */
async function openTwo(facility: Record<string, unknown> = {}) {
  const office = await openDockOffice()
  const path = await newPath()
  const open = async () => {
    const db = await openDatabase(path, [accessMigration, docksMigration])
    onTestFinished(() => db.close())
    return { db, ctx: { ...office.ctx, db } }
  }
  const processes = [await open(), await open()] as const
  const { id } = await office.run(createFacility, { ...DC1, ...facility }, processes[0].ctx)
  return { office, processes, facilityId: id }
}

type Process = Awaited<ReturnType<typeof openTwo>>['processes'][number]

const book = (office: DockOffice, { ctx }: Process, changes: Record<string, unknown> = {}) =>
  office.run(bookAppointment, load({ durationMinutes: 60, ...changes }), ctx)

/** Makes each write fail at its end, when it has changed its rows. */
function failing({ db, ctx }: Process): Process {
  const write: Database['write'] = (work, options) =>
    db.write(async (tx) => {
      await work(tx)
      throw new Error('failed at the end')
    }, options)
  return { db, ctx: { ...ctx, db: { ...db, write } } }
}

const sorted = (spans: readonly BusySpan[]) => spans.map(({ doorId, from, to }) => `${from} ${to} ${doorId}`).sort()

/** What is busy by the rows alone. */
async function readRows(tx: ReadTx): Promise<BusySpan[]> {
  const read = (table: string, column: string, value: unknown, operator: '<>' | '>') =>
    tables<any>(tx)
      .selectFrom(table)
      .select(['door_id as doorId', 'start_at as from', 'end_at as to'])
      .where(column, operator, value)
      .execute() as Promise<BusySpan[]>
  return [
    ...(await read('appointment', 'status', 'cancelled', '<>')),
    ...(await read('slot_hold', 'expires_at', NOW, '>')),
  ]
}

async function requireKnownAsStored({ db }: Process, id: string): Promise<void> {
  for (const limits of [[], [{}]] as never[])
    await db.read(async (tx) => {
      expect(sorted(await listBusySpans(tx, { id, limits }, WEEK, { now: NOW }))).toEqual(sorted(await readRows(tx)))
    })
}

const starts = (booked: readonly { doorName: string; startTime: string }[]) =>
  booked.map(({ doorName, startTime }) => `${doorName} ${startTime}`)

describe('the known appointments of a day', () => {
  it('are those of the database, whatever this process and another one do', async () => {
    const step = fc.record({
      does: fc.constantFrom('book', 'fail', 'duplicate', 'race', 'cancel', 'move', 'hold', 'confirm'),
      process: fc.nat(1),
      day: fc.integer({ min: 16, max: 20 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 14 }), async (steps) => {
        const { office, processes, facilityId } = await openTwo()
        const made: string[] = []
        const holds: string[] = []
        const take = async (booking: Promise<{ data: { id: string | null } }>, ids = made) =>
          ids.push((await booking).data.id!)
        for (const { does, process, day } of steps) {
          const own = processes[process]!
          const date = { targetDate: `2026-11-${day}` }
          const id = made[day % made.length]
          if (does === 'book') await take(book(office, own, date))
          if (does === 'race')
            await Promise.all(processes.flatMap((one) => [1, 2].map(() => take(book(office, one, date)))))
          if (does === 'fail') {
            const [, failed] = await Promise.allSettled([
              take(book(office, own, date)),
              book(office, failing(own), date),
              take(book(office, own, date)),
            ])
            expect(failed!.status).toBe('rejected')
          }
          if (does === 'duplicate') {
            const twice = { ...date, referenceNumber: `TWICE-${made.length}` }
            await take(book(office, own, twice))
            await expect(book(office, own, twice)).rejects.toMatchObject({ code: 'duplicate_reference' })
          }
          if (does === 'cancel' && id) await office.run(cancelAppointment, { id }, own.ctx).catch(() => {})
          if (does === 'move' && id) await office.run(rescheduleAppointment, { id, ...date }, own.ctx).catch(() => {})
          if (does === 'hold')
            await take(office.run(createHold, { facilityCode: 'DC1', type: 'pickup', ...date }, own.ctx), holds)
          const hold = does === 'confirm' && holds.pop()
          if (hold)
            await take(office.run(confirmHold, { id: hold, carrierName: 'Acme', referenceNumber: hold }, own.ctx))
          for (const one of processes) await requireKnownAsStored(one, facilityId)
        }
      }),
      { numRuns: 12 },
    )
  })

  it('never lead to a double booking if two processes book at once', async () => {
    const { office, processes, facilityId } = await openTwo()
    const booked = await Promise.all(Array.from({ length: 20 }, (_, n) => book(office, processes[n % 2]!)))
    expect(new Set(starts(booked.map(({ data }) => data))).size).toBe(20)
    for (const one of processes) await requireKnownAsStored(one, facilityId)
  })

  it('do not contain a booking of the same batch that failed', async () => {
    const { office, processes } = await openTwo({ doors: [{ name: 'Door 1' }] })
    const [own] = processes
    await book(office, own)
    const outcomes = await Promise.allSettled([
      book(office, failing(own)),
      book(office, own),
      book(office, failing(own)),
      book(office, own),
    ])
    const booked = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.data] : []))
    expect(starts(booked)).toEqual(['Door 1 2026-11-17T13:00:00.000Z', 'Door 1 2026-11-17T14:00:00.000Z'])
  })

  it('stay known after a booking, also when a webhook gets its event', async () => {
    const { office, processes } = await openTwo()
    const [own] = processes
    const { tenantId } = await own.db.read((tx) =>
      tables<any>(tx).selectFrom('facility').select('tenant_id as tenantId').executeTakeFirstOrThrow(),
    )
    await own.db.write((tx) => insertWebhook(tx, newWebhook({ id: 'w', tenant_id: tenantId })))
    const getKnown = () => own.db.read(async (tx) => derivedValues(tx, 'appointment')!.get('days'))
    await book(office, own)
    const known = await getKnown()
    await book(office, own)
    expect(known).toBeDefined()
    expect(await getKnown()).toBe(known)
    const [hook] = await own.db.read((tx) => listWebhooks(tx, tenantId))
    expect(hook!.unaccepted).toBe(2)
  })

  it('are forgotten when there are too many days, also empty ones', async () => {
    const { processes, facilityId } = await openTwo()
    const span = { from: NOW, to: NOW + 10_100 * DAY_MS }
    const count = await processes[0].db.read(async (tx) => {
      await listBusySpans(tx, { id: facilityId, limits: [] }, span, { now: NOW })
      return derivedValues<{ days: Map<string, unknown> }>(tx, 'appointment')!.get('days')!.days.size
    })
    expect(count).toBeLessThan(200)
  })

  it('keep a limit a day across two processes', async () => {
    const limits = [{ name: 'Three a day', max: 3, per: 'day' }]
    const { office, processes } = await openTwo({ limits, advanceToNextOpenDay: false })
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => book(office, processes[n % 2]!)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    await book(office, processes[0], { targetDate: '2026-11-18' })
  })

  it('keep the capacity across two processes', async () => {
    const { office, processes } = await openTwo({ capacity: 1 })
    const at = { startTime: '2026-11-17T08:00' }
    const outcomes = await Promise.allSettled([0, 1, 0, 1].map((n) => book(office, processes[n]!, at)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('are found by an appointment that began the day before', async () => {
    const open = [
      { name: 'Always', days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], start: '00:00', end: '00:00' },
    ]
    const { office, processes, facilityId } = await openTwo({
      queues: open,
      breaks: [],
      doors: [{ name: 'Door 1' }],
      timeZone: 'Etc/UTC',
      maxMinutes: 1_440,
    })
    await book(office, processes[0], { startTime: '2026-11-17T12:00', durationMinutes: 1_440 })
    const next = await book(office, processes[1], { targetDate: '2026-11-18' })
    expect(next.data.startTime).toBe('2026-11-18T12:00:00.000Z')
    const span = { from: Date.parse('2026-11-18T00:00:00Z'), to: Date.parse('2026-11-18T00:00:00Z') + DAY_MS }
    const known = await processes[0].db.read((tx) =>
      listBusySpans(tx, { id: facilityId, limits: [] }, span, { now: NOW }),
    )
    expect(known).toHaveLength(2)
  })
})
