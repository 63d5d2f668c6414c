import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { AppointmentTable } from '../../../../src/docks/booking/migrations'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { bookedDayQuery } from '../../../../src/docks/booking/queries/booked-days'
import { isRefusedByConstraint } from '../../../../src/docks/booking/queries/constraints'
import type { DocksTables } from '../../../../src/docks/migrations'
import {
  appointmentsQuery,
  busySpansQuery,
  scheduledFirstQuery,
  scheduledOthersQuery,
} from '../../../../src/docks/queries'
import { type ReadTx, tables } from '../../../../src/storage'
import { type DockOffice, load, officeWith } from '../../dock-fixtures'

/** An appointment of an hour at Door 1 from noon UTC. The tests write others to the tables directly. */
async function bookedOffice() {
  const office = await officeWith()
  const { data } = await office.run(bookAppointment, load())
  const row = await office.db.read((tx) =>
    tables<DocksTables>(tx).selectFrom('appointment').selectAll().where('id', '=', data.id).executeTakeFirstOrThrow(),
  )
  return { office, row }
}

const hour = 3_600_000

function insert(office: DockOffice, row: AppointmentTable, changes: Partial<AppointmentTable>) {
  const other = { ...row, id: 'other', reference_number: 'another', ...changes }
  return office.db.write((tx) => tables<DocksTables>(tx).insertInto('appointment').values(other).execute())
}

function update(office: DockOffice, id: string, changes: Partial<AppointmentTable>) {
  return office.db.write((tx) =>
    tables<DocksTables>(tx).updateTable('appointment').set(changes).where('id', '=', id).execute(),
  )
}

describe('the constraints of the tables', () => {
  it.each([
    ['at the same time', 0, 1],
    ['into its beginning', -0.5, 0.5],
    ['into its end', 0.5, 1.5],
    ['around it', -1, 2],
    ['inside it', 0.25, 0.75],
    ['for a whole day up to its middle', -23.5, 0.5],
  ])('refuse a second appointment at a door %s', async (_, from, to) => {
    const { office, row } = await bookedOffice()
    const changes = { start_at: row.start_at + from * hour, end_at: row.start_at + to * hour }
    await expect(insert(office, row, changes)).rejects.toThrow('the door is taken at that time')
  })

  it.each([
    ['that touches its end', { start: 1, end: 2 }],
    ['that touches its beginning', { start: -1, end: 0 }],
  ])('accept one at the door %s', async (_, { start, end }) => {
    const { office, row } = await bookedOffice()
    await insert(office, row, { start_at: row.start_at + start * hour, end_at: row.start_at + end * hour })
  })

  it('accept a cancelled appointment, but not its return to scheduled', async () => {
    const { office, row } = await bookedOffice()
    await insert(office, row, { status: 'cancelled' })
    await expect(update(office, 'other', { status: 'scheduled' })).rejects.toThrow('the door is taken')
    await office.run(cancelAppointment, { id: row.id })
    await update(office, 'other', { status: 'scheduled' })
  })

  it('refuse to move an appointment onto another, and allow a move within its own time', async () => {
    const { office, row } = await bookedOffice()
    await insert(office, row, { start_at: row.end_at, end_at: row.end_at + hour })
    await expect(update(office, row.id, { end_at: row.end_at + 1 })).rejects.toThrow('the door is taken')
    await update(office, row.id, { start_at: row.start_at + 1 })
  })

  it('refuse a second scheduled appointment with the same reference', async () => {
    const { office, row } = await bookedOffice()
    const later = { start_at: row.end_at, end_at: row.end_at + hour, reference_number: row.reference_number }
    await expect(insert(office, row, later)).rejects.toThrow(/unique/i)
    await insert(office, row, { ...later, status: 'completed' })
  })

  it.each([
    ['that ends when it starts', (row: AppointmentTable) => ({ end_at: row.end_at })],
    ['of more than a day', (row: AppointmentTable) => ({ end_at: row.end_at + 24 * hour + 1 })],
    ['of another status', () => ({ status: 'open' as never })],
    ['of another type', () => ({ type: 'return' as never })],
    ['at a door that is not there', () => ({ door_id: 'none' })],
  ])('refuse an appointment %s', async (_, changes) => {
    const { office, row } = await bookedOffice()
    const later = { start_at: row.end_at, end_at: row.end_at + hour }
    await expect(insert(office, row, { ...later, ...changes(row) })).rejects.toThrow(/constraint/i)
  })
})

describe('the indexes', () => {
  const asked = { facilityId: 'facility', referenceNumber: 'PO-1' }
  const plansOf = (tx: ReadTx) => ({
    busy: busySpansQuery(tx, { ...asked, after: 0, from: 1, to: 2 }),
    'busy on a day': bookedDayQuery(tx, { ...asked, isCounted: false }, 1),
    reference: scheduledFirstQuery(tx, 'facility', ['PO-1']),
    'other references': scheduledOthersQuery(tx, 'facility', ['PO-1']),
    'lookup by reference': appointmentsQuery(tx, { ...asked, starting: null, status: null }),
    'look-up by dates': appointmentsQuery(tx, {
      ...asked,
      referenceNumber: null,
      starting: { from: 1, to: 2 },
      status: null,
    }),
  })

  it.each([
    ['busy', /COVERING INDEX appointment_occupancy \(facility_id=\? AND start_at>\? AND start_at<\?\)$/],
    ['busy on a day', /COVERING INDEX appointment_occupancy \(facility_id=\? AND start_at>\? AND start_at<\?\)$/],
    ['reference', /INDEX appointment_(scheduled_|by_)reference \(.*facility_id=\? AND reference_number=\?/],
    ['other references', /INDEX .*appointment_reference.* \(facility_id=\? AND reference_number=\?\)$/],
    ['lookup by reference', /INDEX appointment_by_reference \(facility_id=\? AND reference_number=\?\)$/],
    ['look-up by dates', /INDEX appointment_occupancy \(facility_id=\? AND start_at>\? AND start_at<\?\)$/],
  ] as const)('serve the query without a scan: %s', async (name, index) => {
    const { office } = await bookedOffice()
    const plan = await office.db.read((tx) => plansOf(tx)[name].explain(undefined, sql`query plan`))
    const steps = plan.map(({ detail }) => String(detail))
    expect(steps.filter((step) => /^SCAN/.test(step))).toEqual([])
    expect(steps.some((step) => index.test(step))).toBe(true)
  })
})

describe('an error of the database', () => {
  it.each([
    ['of a server in any language', Object.assign(new Error('doppelter Schlüsselwert'), { code: '23505' })],
    ['of a file', new Error('UNIQUE constraint failed: appointment.id')],
    ['that caused another one', new Error('failed', { cause: new Error('the door is taken at that time') })],
  ])('%s says that a constraint refused a row', (_, error) => {
    expect(isRefusedByConstraint(error)).toBe(true)
  })

  it('of another kind does not', () => {
    expect(isRefusedByConstraint(Object.assign(new Error('deadlock'), { code: '40P01' }))).toBe(false)
  })
})
