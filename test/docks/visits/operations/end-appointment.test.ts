import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { getAppointment } from '../../../../src/docks/booking/operations/get-appointment'
import { completeAppointment } from '../../../../src/docks/visits/operations/complete-appointment'
import { reopenAppointment } from '../../../../src/docks/visits/operations/reopen-appointment'
import { getEngine, tables } from '../../../../src/storage'
import { load, officeWith } from '../../dock-fixtures'

async function bookedOffice() {
  const office = await officeWith()
  const { data } = await office.run(bookAppointment, load({ referenceNumber: 'PO-1' }))
  return { office, id: data.id }
}

describe('cancelling an appointment', () => {
  it('returns only status and message, also the second time', async () => {
    const { office, id } = await bookedOffice()
    expect(await office.run(cancelAppointment, { id })).toEqual({
      status: 'success',
      message: 'Appointment PO-1 at DC1 is cancelled.',
    })
    expect(await office.run(cancelAppointment, { id })).toEqual({
      status: 'success',
      message: 'Appointment PO-1 at DC1 was already cancelled.',
    })
    expect((await office.run(getAppointment, { id })).status).toBe('cancelled')
  })

  it('is refused for a completed appointment, which stays completed', async () => {
    const { office, id } = await bookedOffice()
    await office.run(completeAppointment, { id })
    expect((await office.refusal(cancelAppointment, { id })).code).toBe('invalid_state')
    expect((await office.run(getAppointment, { id })).status).toBe('completed')
  })
})

describe('completing an appointment', () => {
  it('succeeds the second time too', async () => {
    const { office, id } = await bookedOffice()
    const first = await office.run(completeAppointment, { id })
    expect(first).toMatchObject({ status: 'success', data: { id, status: 'completed' } })
    const second = await office.run(completeAppointment, { id })
    expect(second.data).toEqual(first.data)
  })

  it('is refused for a cancelled appointment', async () => {
    const { office, id } = await bookedOffice()
    await office.run(cancelAppointment, { id })
    expect((await office.refusal(completeAppointment, { id })).code).toBe('invalid_state')
  })
})

describe('completing an appointment before its start', () => {
  const question = (answer: unknown) => completeAppointment.cli!.confirmDryRun!(answer)

  it('asks for confirmation, and changes nothing before', async () => {
    const { office, id } = await bookedOffice()
    const preview = await office.run(completeAppointment, { id, dryRun: true })
    expect(preview).toMatchObject({
      message: 'Appointment PO-1 at DC1 would be completed.',
      data: { status: 'scheduled' },
    })
    expect(question(preview)).toBe(
      'Appointment PO-1 has not started: it is 2026-11-17 06:00 (America/Chicago) at Door 1. Complete it now?',
    )
    expect((await office.run(getAppointment, { id })).status).toBe('scheduled')
  })

  it('asks nothing after the start, or if it is already completed', async () => {
    const { office, id } = await bookedOffice()
    office.at('2026-11-17T12:00:00Z')
    expect(question(await office.run(completeAppointment, { id, dryRun: true }))).toBeNull()
    office.at('2026-11-16T14:00:00Z')
    await office.run(completeAppointment, { id })
    expect(question(await office.run(completeAppointment, { id, dryRun: true }))).toBeNull()
  })
})

describe('reopening an appointment', () => {
  it('makes a completed appointment scheduled again, at the same time and door', async () => {
    const { office, id } = await bookedOffice()
    const before = await office.run(getAppointment, { id })
    const completed = await office.run(completeAppointment, { id })
    expect(completeAppointment.cli!.notice!(completed)).toBe(`To undo it: studio appointment reopen ${id}`)
    expect((await office.run(reopenAppointment, { id })).message).toBe(
      'Appointment PO-1 is scheduled again for 2026-11-17 06:00 (America/Chicago) at Door 1.',
    )
    expect(await office.run(getAppointment, { id })).toEqual({ ...before, sequence: 2 })
    expect((await office.run(reopenAppointment, { id })).message).toContain('already scheduled')
  })

  it('finds its slot free, because a completed appointment keeps its time at the door', async () => {
    const { office, id } = await bookedOffice()
    await office.run(completeAppointment, { id })
    const others = [await office.run(bookAppointment, load()), await office.run(bookAppointment, load())]
    const { data } = await office.run(reopenAppointment, { id })
    for (const other of others) {
      expect([other.data.doorId, other.data.startTime]).not.toEqual([data.doorId, data.startTime])
    }
  })

  it('is refused if the reference was booked again, and changes nothing', async () => {
    const { office, id } = await bookedOffice()
    await office.run(completeAppointment, { id })
    const { data } = await office.run(bookAppointment, load({ referenceNumber: 'PO-1', targetDate: '2026-11-18' }))
    expect(await office.refusal(reopenAppointment, { id })).toMatchObject({
      code: 'duplicate_reference',
      details: [{ appointment: { id: data.id } }],
    })
    expect((await office.run(getAppointment, { id })).status).toBe('completed')
  })

  // Each partition has its own.
  const dropDoorConstraints = `do $$ declare guard record; begin
    for guard in select conrelid::regclass as part, conname from pg_constraint where contype = 'x' loop
      execute format('alter table %s drop constraint %I', guard.part, guard.conname);
    end loop; end $$`

  it('is refused if another appointment is at the door at that time', async () => {
    const { office, id } = await bookedOffice()
    await office.run(completeAppointment, { id })
    // Only a program that writes to the tables directly can do that.
    await office.db.write(async (tx) => {
      const guards =
        getEngine(tx) === 'postgres'
          ? [dropDoorConstraints]
          : ['insert', 'update'].map((event) => `drop trigger appointment_door_free_on_${event}`)
      for (const statement of guards) await sql.raw(statement).execute(tables<any>(tx))
      await sql`
        insert into appointment (id, tenant_id, facility_id, door_id, type, status, start_at, end_at, carrier_name,
          reference_number, created_at, updated_at)
        select 'other', tenant_id, facility_id, door_id, type, 'scheduled', start_at, end_at, carrier_name, 'PO-9',
          created_at, updated_at from appointment`.execute(tables<any>(tx))
    })
    expect((await office.refusal(reopenAppointment, { id })).code).toBe('conflict')
  })

  it('is refused for a cancelled appointment, whose slot may be booked', async () => {
    const { office, id } = await bookedOffice()
    await office.run(cancelAppointment, { id })
    expect((await office.refusal(reopenAppointment, { id })).code).toBe('invalid_state')
  })
})

describe('showing an appointment', () => {
  it('returns every field, missing ones as null', async () => {
    const { office, id } = await bookedOffice()
    const shown = await office.run(getAppointment, { id: id!.toUpperCase() })
    expect(shown).toMatchObject({ id, weight: null, loadDescription: null, equipmentId: null, palletCount: null })
  })
})
