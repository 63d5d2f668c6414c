import { randomUUID } from 'node:crypto'
import { bookAppointment } from '../../src/docks/booking/operations/book-appointment'
import { execute } from '../../src/kernel'
import { openDatabase } from '../../src/storage'
import { Connection } from '../../src/storage/embedded/engine/connection'
import { migrations, openStudio } from '../../src/studio'
import { codeOf, FIRST_DAY, idOf, TENANT } from './dock-seed'
import { loadNative } from './native-sqlite'

interface Step {
  sql: string
  parameters: readonly unknown[]
}

const QUARTER_MS = 900_000

/**
 * A booking in native SQLite, one transaction after another in this process, with a sync for each: what decides it, which the service has read
 * in earlier transactions, and its statements. Each transaction has its own appointment. Null if native SQLite cannot be installed.
 */
export async function openNativeBookings(
  path: string,
  recordedOn: string,
): Promise<{ bookings(count: number): number; close(): void } | null> {
  const Native = loadNative()
  if (Native === null) return null
  const steps = [...READS, ...(await recordBooking(recordedOn))]
  const db = new Native(path)
  db.pragma('journal_mode = wal')
  db.pragma('synchronous = full')
  const prepared = steps.map(({ sql, parameters }) => ({ statement: db.prepare(sql), parameters }))
  let count = 0
  const book = db.transaction(() => {
    const own = ownValues(steps, count++)
    for (const { statement, parameters } of prepared) {
      const values = parameters.map((value) => own.get(value) ?? value)
      if (statement.reader) statement.all(...values)
      else statement.run(...values)
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

const DAY_MS = 86_400_000
const [FIRST, NEXT] = [Date.parse(FIRST_DAY), Date.parse(FIRST_DAY) + DAY_MS]

/** What decides a booking: its facility, the doors, and what is busy on its date. */
const READS: Step[] = [
  { sql: 'select * from facility where tenant_id = ? and code = ?', parameters: [TENANT, codeOf(0)] },
  {
    sql: `
      select
        (select json_group_array(json_array(id, name, position, types, active, features, max_height)) from door
          where facility_id = @facility and removed_at is null) as doors,
        (select json_group_array(json_array(door_id, start_at, end_at)) from appointment
          where facility_id = @facility and start_at > @after and start_at < @to and end_at > @from and status <> 'cancelled') as busy,
        (select json_group_array(json_array(door_id, start_at, end_at)) from slot_hold
          where facility_id = @facility and start_at > @after and start_at < @to and end_at > @from and expires_at > 0) as held`,
    parameters: [{ facility: idOf('facility', 0), after: FIRST - DAY_MS, from: FIRST, to: NEXT }],
  },
  { sql: 'select id from webhook limit 1', parameters: [] },
]

/** The statements of the second booking; what the first one has read is known. */
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
