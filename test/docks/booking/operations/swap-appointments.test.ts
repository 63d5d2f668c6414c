import { describe, expect, it } from 'vitest'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { getAppointment } from '../../../../src/docks/booking/operations/get-appointment'
import { listAppointments } from '../../../../src/docks/booking/operations/list-appointments'
import { swapAppointments } from '../../../../src/docks/booking/operations/swap-appointments'
import { createFacility } from '../../../../src/docks/facilities/operations/create-facility'
import { updateFacility } from '../../../../src/docks/facilities/operations/update-facility'
import { completeAppointment } from '../../../../src/docks/visits/operations/complete-appointment'
import { DC1, type DockOffice, load, officeWith } from '../../dock-fixtures'

const book = async (office: DockOffice, changes: Record<string, unknown>) =>
  (await office.run(bookAppointment, load(changes))).data

async function refusedSwap(office: DockOffice, id: string | null, otherId: string | null) {
  const before = await office.run(listAppointments, { facilityCode: 'DC1', endDate: '2026-12-31' })
  const refusal = await office.refusal(swapAppointments, { id, otherId })
  expect(await office.run(listAppointments, { facilityCode: 'DC1', endDate: '2026-12-31' })).toEqual(before)
  return refusal
}

describe('swapping two appointments', () => {
  it('exchanges their times and doors, each as one change, and swapping again undoes it', async () => {
    const office = await officeWith({ capacity: 1 })
    const one = await book(office, { startTime: '09:00', doorId: 'Door 1', referenceNumber: 'PO-1' })
    const other = await book(office, {
      startTime: '2026-11-19T14:00',
      targetDate: null,
      doorId: 'Door 2',
      referenceNumber: 'PO-2',
    })
    const swap = { id: one.id, otherId: other.id }
    const { message, data } = await office.run(swapAppointments, swap)
    expect(message).toBe(
      'Swapped: PO-1 is now 2026-11-19 14:00 (America/Chicago) at Door 2, PO-2 is now 2026-11-17 09:00 (America/Chicago) at Door 1.',
    )
    expect(data).toMatchObject([
      { id: one.id, startTime: other.startTime, endTime: other.endTime, doorId: other.doorId, status: 'scheduled' },
      { id: other.id, startTime: one.startTime, endTime: one.endTime, doorId: one.doorId, status: 'scheduled' },
    ])
    expect(await office.run(getAppointment, { id: one.id })).toMatchObject(data[0]!)
    const list = { facilityCode: 'DC1', startDate: '2026-11-17', endDate: '2026-11-19' }
    expect(await office.run(listAppointments, list)).toMatchObject([{ sequence: 1 }, { sequence: 1 }])
    await office.run(swapAppointments, swap)
    expect(await office.run(getAppointment, { id: one.id })).toMatchObject(one)
  })

  it('works for neighbours of different lengths only if both fit', async () => {
    const office = await officeWith({ doors: [{ name: 'Door 1' }] })
    const short = await book(office, { startTime: '09:00' })
    const long = await book(office, { startTime: '10:00', durationMinutes: 90 })
    const refusal = await refusedSwap(office, short.id, long.id)
    expect(refusal).toMatchObject({ code: 'slot_unavailable', details: [{ path: 'id', reason: 'taken' }] })
    const far = await book(office, { startTime: '17:00' })
    expect((await refusedSwap(office, far.id, long.id)).details).toMatchObject([
      { path: 'otherId', reason: 'outside_hours' },
    ])
    const early = await book(office, { startTime: '06:00', durationMinutes: 30 })
    await office.run(swapAppointments, { id: early.id, otherId: short.id })
  })

  it('exchanges the doors of two at one time beyond a reduced capacity, but takes no third into that time', async () => {
    const office = await officeWith({ doors: [{ name: 'Door 1' }, { name: 'Door 2' }, { name: 'Door 3' }] })
    const one = await book(office, { startTime: '09:00' })
    const other = await book(office, { startTime: '09:00' })
    const later = await book(office, { startTime: '13:00' })
    await office.run(updateFacility, { id: 'DC1', capacity: 1 })
    const { data } = await office.run(swapAppointments, { id: one.id, otherId: other.id })
    expect(data).toMatchObject([{ doorName: other.doorName }, { doorName: one.doorName }])
    expect((await refusedSwap(office, later.id, one.id)).details).toMatchObject([{ path: 'id', reason: 'capacity' }])
  })

  it('respects doors that accept one type', async () => {
    const office = await officeWith({ doors: [{ name: 'Door 1', types: ['delivery'] }, { name: 'Door 2' }] })
    const delivery = await book(office, { startTime: '09:00' })
    const pickup = await book(office, { startTime: '09:00', type: 'pickup' })
    expect((await refusedSwap(office, delivery.id, pickup.id)).details).toMatchObject([
      { path: 'otherId', reason: 'door_type' },
    ])
  })

  it('is refused for one appointment, for two facilities, and for one that has started or ended', async () => {
    const office = await officeWith()
    await office.run(createFacility, { ...DC1, code: 'DC2' })
    const one = await book(office, { startTime: '09:00' })
    const far = await book(office, { startTime: '09:00', facilityCode: 'DC2' })
    const other = await book(office, { startTime: '10:00' })
    expect((await refusedSwap(office, one.id, one.id)).code).toBe('invalid')
    expect((await refusedSwap(office, one.id, far.id)).message).toContain('is at DC2, not at DC1')
    office.at('2026-11-17T15:30:00Z')
    expect((await refusedSwap(office, one.id, other.id)).message).toContain('has started')
    await office.run(completeAppointment, { id: one.id })
    expect((await refusedSwap(office, other.id, one.id)).code).toBe('invalid_state')
    const unknown = '11111111-1111-1111-1111-111111111111'
    expect((await refusedSwap(office, other.id, unknown)).code).toBe('not_found')
  })
})
