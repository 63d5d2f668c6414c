import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bookAppointment } from '../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../src/docks/booking/operations/cancel-appointment'
import { createFacility } from '../../src/docks/facilities/operations/create-facility'
import { type AnyOperation, execute } from '../../src/kernel'
import { openDatabase } from '../../src/storage'
import { migrations, openStudio } from '../../src/studio'
import { printFigure, ratioInTurn } from './figures'

const ROUNDS = 400
const DOORS = Array.from({ length: 10 }, (_, door) => ({ name: `Door ${door + 1}` }))
/** All of them but the last are taken. */
const HOURS = ['06:00', '07:00', '08:00', '09:00', '10:00', '11:00', '12:00']

/** What room costs those who do not need it: bookings that find a free slot, at facilities that differ in their setting alone. */
export async function bookingsWithoutRoom(folder: string): Promise<void> {
  const db = await openDatabase(join(folder, 'room.db'), migrations)
  const studio = openStudio({ env: { STUDIO_HOME: tmpdir() }, cwd: tmpdir(), db })
  const context = studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
  const run = (op: AnyOperation, input: unknown): Promise<any> => execute(op, input, context)
  let count = 0
  const book = (facilityCode: string, more: object) =>
    run(bookAppointment, {
      ...{ facilityCode, type: 'pickup', carrierName: 'Acme', referenceNumber: `PO-${count++}` },
      ...{ targetDate: '2040-01-02', durationMinutes: 60, ...more },
    })
  const open = async (makeRoom: string) => {
    const hours = { days: ['mon'], start: '06:00', end: '13:00' }
    await run(createFacility, {
      code: makeRoom,
      name: 'Bench',
      timeZone: 'Etc/UTC',
      queues: [hours],
      doors: DOORS,
      makeRoom,
    })
    for (const startTime of HOURS.slice(0, -1)) for (const _ of DOORS) await book(makeRoom, { startTime })
    return async (more: object = {}) => {
      const startedAt = performance.now()
      const { data } = await book(makeRoom, more)
      const took = performance.now() - startedAt
      await run(cancelAppointment, { id: data.id })
      return took
    }
  }
  const [never, always, ask] = [await open('never'), await open('always'), await open('ask')]
  printFigure({
    name: 'a booking with a free slot: makeRoom always ÷ never',
    value: await ratioInTurn(ROUNDS, always, never),
    atMost: 1.1,
  })
  printFigure({
    name: 'a booking with a free slot that asks for room ÷ one that does not',
    value: await ratioInTurn(ROUNDS, () => ask({ makeRoom: true }), ask),
    atMost: 1.1,
  })
  await db.close()
}
