import { describe, expect, it } from 'vitest'
import { verifyTenantKey } from '../../../../src/access'
import { createTenantKey } from '../../../../src/access/operations/create-tenant-key'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { confirmHold } from '../../../../src/docks/booking/operations/confirm-hold'
import { createHold } from '../../../../src/docks/booking/operations/create-hold'
import { importAppointments } from '../../../../src/docks/booking/operations/import-appointments'
import { listAppointments } from '../../../../src/docks/booking/operations/list-appointments'
import { rescheduleAppointment } from '../../../../src/docks/booking/operations/reschedule-appointment'
import { showHistory } from '../../../../src/docks/booking/operations/show-history'
import { swapAppointments } from '../../../../src/docks/booking/operations/swap-appointments'
import { updateAppointment } from '../../../../src/docks/booking/operations/update-appointment'
import { completeAppointment } from '../../../../src/docks/visits/operations/complete-appointment'
import { reopenAppointment } from '../../../../src/docks/visits/operations/reopen-appointment'
import { dockCaller } from '../../../dock-caller'
import { type DockOffice, load, NOW, officeWith } from '../../dock-fixtures'

async function kindsOf(office: DockOffice, id: string | null) {
  return (await office.run(showHistory, { id })).map(({ kind }) => kind)
}

describe('the history of an appointment', () => {
  it('has an entry for every change, with the values before and after', async () => {
    const office = await officeWith()
    const { data } = await office.run(bookAppointment, load({ referenceNumber: 'PO-1' }))
    office.at('2026-11-16T15:00:00Z')
    await office.run(updateAppointment, { id: data.id, carrierName: 'Red Freight' })
    await office.run(rescheduleAppointment, { id: data.id, startTime: '2026-11-18T09:00', doorId: 'Door 2' })
    expect(await office.run(showHistory, { id: data.id })).toMatchObject([
      { kind: 'booked', at: '2026-11-16T14:00:00.000Z', by: 'terminal', source: null, changes: [] },
      {
        kind: 'updated',
        at: '2026-11-16T15:00:00.000Z',
        changes: [{ field: 'carrierName', before: 'Blue Freight', after: 'Red Freight' }],
      },
      {
        kind: 'rescheduled',
        changes: [
          { field: 'doorId' },
          { field: 'startTime', before: data.startTime, after: '2026-11-18T15:00:00.000Z' },
          { field: 'endTime' },
          { field: 'doorName', before: 'Door 1', after: 'Door 2' },
        ],
      },
    ])
  })

  it('has no entry for a call that changes nothing or is refused', async () => {
    const office = await officeWith()
    const { data } = await office.run(bookAppointment, load())
    await office.run(updateAppointment, { id: data.id, carrierName: 'Blue Freight' })
    await office.run(completeAppointment, { id: data.id, dryRun: true })
    await office.refusal(rescheduleAppointment, { id: data.id, targetDate: '2026-11-15' })
    await office.run(reopenAppointment, { id: data.id })
    expect(await kindsOf(office, data.id)).toEqual(['booked'])
  })

  it('names every way to change a state or a place', async () => {
    const office = await officeWith()
    const one = (await office.run(bookAppointment, load())).data.id
    const other = (await office.run(bookAppointment, load({ durationMinutes: 30 }))).data.id
    await office.run(swapAppointments, { id: one, otherId: other })
    await office.run(completeAppointment, { id: one })
    await office.run(reopenAppointment, { id: one })
    await office.run(cancelAppointment, { id: one })
    expect(await kindsOf(office, one)).toEqual(['booked', 'swapped', 'completed', 'reopened', 'cancelled'])
    expect(await kindsOf(office, other)).toEqual(['booked', 'swapped'])
  })

  it('says that a booking came from a hold or an imported file', async () => {
    const office = await officeWith()
    const hold = await office.run(createHold, { facilityCode: 'DC1', type: 'pickup', targetDate: '2026-11-17' })
    const confirmed = await office.run(confirmHold, { id: hold.data.id, carrierName: 'Acme', referenceNumber: 'H-1' })
    const text = 'type,carrier,reference,date\npickup,Acme,I-1,2026-11-17\n'
    await office.run(importAppointments, { text, facilityCode: 'DC1' })
    const [imported] = await office.run(listAppointments, { facilityCode: 'DC1', referenceNumber: 'I-1' })
    const sources = [confirmed.data.id, imported!.id].map(
      async (id) => (await office.run(showHistory, { id }))[0]!.source,
    )
    expect(await Promise.all(sources)).toEqual(['hold', 'import'])
  })

  it('names the key of the caller, and is hidden from other tenants', async () => {
    const office = await officeWith()
    const { key } = await office.run(createTenantKey, { name: 'gate' })
    const caller = (await verifyTenantKey(office.db, key, NOW))!
    const gate = office.as(caller)
    const { data } = await office.run(bookAppointment, load(), gate)
    expect(await office.run(showHistory, { id: data.id }, gate)).toMatchObject([{ kind: 'booked', by: 'gate' }])
    const stranger = office.as(
      dockCaller({ tenantId: 'other', role: 'manager', credential: { kind: 'key', id: 'other', name: 'other' } }),
    )
    expect((await office.refusal(showHistory, { id: data.id }, stranger)).code).toBe('not_found')
  })
})
