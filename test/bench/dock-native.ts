import { randomUUID } from 'node:crypto'
import { bookAppointment } from '../../src/docks/booking/operations/book-appointment'
import { execute } from '../../src/kernel'
import { openDatabase } from '../../src/storage'
import { Connection } from '../../src/storage/embedded/engine/connection'
import { migrations, openStudio } from '../../src/studio'
import { codeOf, FIRST_DAY } from './dock-seed'
import { loadNative } from './native-sqlite'

interface Step {
  sql: string
  parameters: readonly unknown[]
}

const QUARTER_MS = 900_000

/**
 * The statements of a booking in native SQLite, one transaction after another in this process, with a sync for each. Each transaction has
 * its own appointment. Null if native SQLite cannot be installed.
 */
export async function openNativeBookings(
  path: string,
  recordedOn: string,
): Promise<{ bookings(count: number): number; close(): void } | null> {
  const Native = loadNative()
  if (Native === null) return null
  const steps = await recordBooking(recordedOn)
  const db = new Native(path)
  db.pragma('journal_mode = wal')
  db.pragma('synchronous = full')
  const prepared = steps.map(({ sql, parameters }) => ({ statement: db.prepare(sql), parameters }))
  let count = 0
  const book = db.transaction(() => {
    const own = ownValues(steps, count++)
    for (const { statement, parameters } of prepared) {
      const values = parameters.map((value) => own.get(value) ?? value)
      if (statement.reader) statement.all(values)
      else statement.run(values)
    }
  })
  return {
    bookings(transactions) {
      const startedAt = performance.now()
      for (let i = 0; i < transactions; i++) book.immediate()
      return (transactions / (performance.now() - startedAt)) * 1_000
    },
    close: () => db.close(),
  }
}

/** The statements of the second booking; the first one fills the caches. */
async function recordBooking(path: string): Promise<Step[]> {
  const db = await openDatabase(path, migrations)
  const studio = openStudio({ env: { STUDIO_HOME: '/' }, cwd: '/', db })
  const context = studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
  const steps: Step[] = []
  const { run } = Connection.prototype
  try {
    for (const referenceNumber of ['RECORDED-1', 'RECORDED-2']) {
      steps.length = 0
      Connection.prototype.run = function (sql: string, parameters: readonly unknown[] = []) {
        steps.push({ sql, parameters })
        return run.call(this, sql, parameters) as never
      }
      const booking = { facilityCode: codeOf(0), type: 'pickup', carrierName: 'Acme', referenceNumber }
      await execute(bookAppointment, { ...booking, targetDate: FIRST_DAY, durationMinutes: 15 }, context)
    }
  } finally {
    Connection.prototype.run = run
    await db.close()
  }
  return steps
}

/** Replaces the ID, the reference and the time of the recorded appointment. */
function ownValues(steps: readonly Step[], number: number): Map<unknown, unknown> {
  const { parameters } = steps.find(({ sql }) => /^insert into "appointment"/i.test(sql))!
  const own = new Map<unknown, unknown>([['RECORDED-2', `NATIVE-${number}`]])
  const id = parameters.find((value) => typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value))
  own.set(id, randomUUID())
  for (const value of parameters)
    if (typeof value === 'number' && value > Date.parse(FIRST_DAY))
      own.set(value, value + (number + 4_000) * QUARTER_MS)
  return own
}
