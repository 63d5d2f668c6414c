import { describe, expect, it } from 'vitest'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { getAppointment } from '../../../../src/docks/booking/operations/get-appointment'
import { listAppointments } from '../../../../src/docks/booking/operations/list-appointments'
import { rescheduleAppointment } from '../../../../src/docks/booking/operations/reschedule-appointment'
import { completeAppointment } from '../../../../src/docks/visits/operations/complete-appointment'
import { load, officeWith } from '../../dock-fixtures'

const ONE_DOOR = { doors: [{ name: 'Door 1' }] }

async function bookedOffice(facility: Record<string, unknown> = {}) {
  const office = await officeWith({ ...ONE_DOOR, ...facility })
  const { data } = await office.run(bookAppointment, load({ referenceNumber: 'PO-1', palletCount: 4 }))
  return { office, id: data.id, booked: data }
}

describe('rescheduling', () => {
  it('returns the appointment exactly as documented', async () => {
    const { office, id, booked } = await bookedOffice()
    expect(await office.run(rescheduleAppointment, { id, targetDate: '2026-11-18', durationMinutes: 90 })).toEqual({
      status: 'success',
      message: 'Rescheduled to 2026-11-18 06:00 (America/Chicago) at Door 1.',
      data: {
        id,
        doorId: booked.doorId,
        doorName: 'Door 1',
        type: 'delivery',
        startTime: '2026-11-18T12:00:00.000Z',
        endTime: '2026-11-18T13:30:00.000Z',
        carrierName: 'Blue Freight',
        referenceNumber: 'PO-1',
        status: 'scheduled',
        palletCount: 4,
        durationMinutes: 90,
      },
    })
  })

  it('frees the old slot, and does not change the length', async () => {
    const { office, id, booked } = await bookedOffice()
    const { data } = await office.run(rescheduleAppointment, { id, targetDate: '2026-11-18' })
    expect(data.durationMinutes).toBe(booked.durationMinutes)
    expect((await office.run(bookAppointment, load())).data.startTime).toBe(booked.startTime)
  })

  it('counts its own slot as free, for the door and for the capacity', async () => {
    const { office, id, booked } = await bookedOffice({
      queues: [{ days: ['tue'], start: '06:00', end: '07:30' }],
      capacity: 1,
    })
    const { data } = await office.run(rescheduleAppointment, { id, targetDate: '2026-11-17', durationMinutes: 90 })
    expect(data).toMatchObject({ startTime: booked.startTime, durationMinutes: 90 })
  })

  it('changes nothing if the first free slot is the current one', async () => {
    const { office, id, booked } = await bookedOffice()
    const before = await office.run(listAppointments, { facilityCode: 'DC1', referenceNumber: 'PO-1' })
    office.at('2026-11-16T20:00:00Z')
    const { message, data } = await office.run(rescheduleAppointment, { id, targetDate: '2026-11-17' })
    expect(message).toBe(
      'Nothing was changed: the first free slot is the current one, 2026-11-17 06:00 (America/Chicago) at Door 1.',
    )
    expect(data).toMatchObject({ startTime: booked.startTime, endTime: booked.endTime, doorId: booked.doorId })
    expect(await office.run(listAppointments, { facilityCode: 'DC1', referenceNumber: 'PO-1' })).toEqual(before)
    await office.run(rescheduleAppointment, { id, targetDate: '2026-11-17', durationMinutes: 45 })
    const [shorter] = await office.run(listAppointments, { facilityCode: 'DC1', referenceNumber: 'PO-1' })
    expect(shorter).toMatchObject({ sequence: 1 })
  })

  it('does not change a length that the facility no longer accepts', async () => {
    const { office, id } = await bookedOffice({ minMinutes: 60, maxMinutes: 60 })
    const refusal = await office.refusal(rescheduleAppointment, { id, targetDate: '2026-11-18', durationMinutes: 59 })
    expect(refusal).toMatchObject({ code: 'invalid', details: [{ path: 'durationMinutes' }] })
    await office.run(rescheduleAppointment, { id, targetDate: '2026-11-18', durationMinutes: null })
  })

  it.each([
    ['closed', '2026-11-22', 'facility_closed', 'Facility is closed on 2026-11-22 (Sunday).'],
    ['full', '2026-11-18', 'fully_booked', 'Facility is closed on 2026-11-18 (Wednesday).'],
  ])(
    'does not try later dates if the requested one is %s, and changes nothing',
    async (_, targetDate, code, message) => {
      const { office, id } = await bookedOffice({
        queues: [{ days: ['tue', 'wed'], start: '06:00', end: '07:00' }],
      })
      await office.run(bookAppointment, load({ targetDate: '2026-11-18' }))
      const before = await office.run(getAppointment, { id })
      const refusal = await office.refusal(rescheduleAppointment, { id, targetDate })
      expect(refusal).toMatchObject({ code, message })
      expect(await office.run(getAppointment, { id })).toEqual(before)
    },
  )

  it.each([
    ['completed', completeAppointment],
    ['cancelled', cancelAppointment],
  ])('is refused for an appointment that is %s, before anything else is checked', async (status, end) => {
    const { office, id } = await bookedOffice()
    await office.run(end as typeof cancelAppointment, { id })
    const refusal = await office.refusal(rescheduleAppointment, { id, targetDate: '2020-01-01', durationMinutes: 999 })
    expect(refusal.code).toBe('invalid_state')
    expect(refusal.message).toContain(status)
  })

  it('reports a past date before an invalid length', async () => {
    const { office, id } = await bookedOffice()
    const refusal = await office.refusal(rescheduleAppointment, { id, targetDate: '2026-11-15', durationMinutes: 999 })
    expect(refusal.code).toBe('date_in_past')
  })

  it('respects the lead time', async () => {
    const { office, id } = await bookedOffice({ leadMinutes: 60 })
    office.at('2026-11-17T13:07:00Z')
    const { data } = await office.run(rescheduleAppointment, { id, targetDate: '2026-11-17' })
    expect(data.startTime).toBe('2026-11-17T14:15:00.000Z')
  })

  it('does not find an unknown appointment', async () => {
    const { office } = await bookedOffice()
    const id = '11111111-1111-1111-1111-111111111111'
    expect((await office.refusal(rescheduleAppointment, { id, targetDate: '2026-11-18' })).code).toBe('not_found')
    expect((await office.refusal(rescheduleAppointment, { id: 'x', targetDate: '2026-11-18' })).code).toBe('invalid')
  })
})
