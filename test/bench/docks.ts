import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bookAppointment } from '../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../src/docks/booking/operations/cancel-appointment'
import { listAppointments } from '../../src/docks/booking/operations/list-appointments'
import { type AnyOperation, execute } from '../../src/kernel'
import { openDatabase } from '../../src/storage'
import { migrations, openStudio } from '../../src/studio'
import { bookingsAgainstNative, bookingsByStored, bookingsOverHttp } from './dock-http'
import { dayPlans } from './dock-plan'
import { bookingsOnPostgres } from './dock-postgres'
import { roomSearches } from './dock-room'
import { bookingsWithoutRoom } from './dock-room-bookings'
import { slotSearches } from './dock-search'
import { codeOf, FIRST_DAY, placeSeed } from './dock-seed'
import { printFigure, ratioInTurn } from './figures'

const MANY = 1_000_000
const FEW = 1_000

/** `npm run bench -- docks`: the performance goals of the docks. The first run creates and caches a database of a million appointments. */
export async function run([only]: string[] = []): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-bench-'))
  try {
    if (!only || only === 'stored') await storedAppointments(folder)
    if (!only || only === 'search') slotSearches()
    if (!only || only === 'room') {
      await bookingsWithoutRoom(folder)
      await roomSearches()
    }
    if (!only || only === 'plan') await dayPlans()
    if (!only || only === 'http') await bookingsOverHttp(folder)
    if (!only || only === 'growth') await bookingsByStored(folder)
    if (!only || only === 'native') await bookingsAgainstNative(folder)
    if (!only || only === 'postgres') await bookingsOnPostgres()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Measures a facility in a file of its own, and in a file with 999 other facilities. */
async function storedAppointments(folder: string): Promise<void> {
  const [few, many] = [join(folder, 'few.db'), join(folder, 'many.db')]
  await placeSeed(few, FEW)
  await placeSeed(many, MANY)
  const inFew = await openOffice(few)
  const startedAt = performance.now()
  const inMany = await openOffice(many)
  const openedMs = performance.now() - startedAt
  const memory = process.memoryUsage().rss
  printFigure({
    name: `auto-schedule with ${MANY} appointments stored ÷ with ${FEW}`,
    value: await ratioInTurn(400, inMany.book, inFew.book),
    atMost: 1.2,
  })
  printFigure({
    name: `look-up by reference at ${MANY} ÷ at ${FEW}`,
    value: await ratioInTurn(400, inMany.findReference, inFew.findReference),
    atMost: 1.3,
  })
  printFigure({
    name: `look-up by a week's range at ${MANY} ÷ at ${FEW}`,
    value: await ratioInTurn(60, inMany.listWeek, inFew.listWeek),
    atMost: 1.3,
  })
  printFigure({ name: `opening ${MANY} appointments`, value: openedMs / 1_000, unit: 's' })
  printFigure({ name: '  the file', value: statSync(many).size / 1e6, unit: 'MB' })
  printFigure({ name: '  memory of the process', value: memory / 1e6, unit: 'MB' })
  await Promise.all([inFew.close(), inMany.close()])
}

/** Each call returns its duration in milliseconds. */
async function openOffice(path: string) {
  const db = await openDatabase(path, migrations)
  const studio = openStudio({ env: { STUDIO_HOME: tmpdir() }, cwd: tmpdir(), db })
  const context = studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
  const run = (op: AnyOperation, input: unknown): Promise<any> => execute(op, input, context)
  let count = 0
  const timed = async (work: () => Promise<unknown>) => {
    const startedAt = performance.now()
    await work()
    return performance.now() - startedAt
  }
  await db.read(async () => {}) // reads the file
  return {
    async book() {
      const booking = {
        facilityCode: codeOf(0),
        type: 'pickup',
        carrierName: 'Acme',
        referenceNumber: `NEW-${count++}`,
      }
      let booked: any
      const took = await timed(async () => {
        booked = await run(bookAppointment, { ...booking, targetDate: FIRST_DAY })
      })
      await run(cancelAppointment, { id: booked.data.id })
      return took
    },
    findReference: () =>
      timed(() => run(listAppointments, { facilityCode: codeOf(0), referenceNumber: `PO-${count++ % FEW}` })),
    listWeek: () =>
      timed(() => run(listAppointments, { facilityCode: codeOf(0), startDate: FIRST_DAY, endDate: '2040-01-08' })),
    close: () => db.close(),
  }
}
