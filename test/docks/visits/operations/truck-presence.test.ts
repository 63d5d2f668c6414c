import { describe, expect, it } from 'vitest'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { clearAppointments } from '../../../../src/docks/booking/operations/clear-appointments'
import { getAppointment } from '../../../../src/docks/booking/operations/get-appointment'
import { rescheduleAppointment } from '../../../../src/docks/booking/operations/reschedule-appointment'
import { swapAppointments } from '../../../../src/docks/booking/operations/swap-appointments'
import { updateAppointment } from '../../../../src/docks/booking/operations/update-appointment'
import { createSeries } from '../../../../src/docks/series/operations/create-series'
import { moveSeriesDate } from '../../../../src/docks/series/operations/move-series-date'
import { recordStep } from '../../../../src/docks/visits/operations/record-step'
import { undoStep } from '../../../../src/docks/visits/operations/undo-step'
import { recordStep as record } from '../../../../src/docks/visits/services/visit-steps'
import { load, officeWith } from '../../dock-fixtures'

/** An appointment at 09:00 on Tuesday whose truck is there at 08:30, and one at 14:00. */
async function officeWithTruck(step: 'checked_in' | 'at_door' | 'loading') {
  const office = await officeWith()
  const booked = (await office.run(bookAppointment, load({ startTime: '09:00', referenceNumber: 'PO-1' }))).data
  const later = (await office.run(bookAppointment, load({ startTime: '14:00', referenceNumber: 'PO-2' }))).data
  office.at('2026-11-17T14:30:00Z')
  await record(office.ctx, { id: booked.id!, step })
  const get = () => office.run(getAppointment, { id: booked.id })
  return { office, id: booked.id!, later: later.id, get }
}

describe.each(['at_door', 'loading'] as const)('a truck at the door (%s)', (step) => {
  it('cannot be moved to another time, date or door, nor get another length by a move', async () => {
    const { office, id, get } = await officeWithTruck(step)
    const before = await get()
    for (const place of [
      { targetDate: '2026-11-18' },
      { startTime: '2026-11-17T10:00' },
      { startTime: '2026-11-17T09:00', doorId: 'Door 2' },
      { targetDate: '2026-11-17', durationMinutes: 30 },
    ]) {
      const refusal = await office.refusal(rescheduleAppointment, { id, ...place })
      expect(refusal).toMatchObject({
        code: 'invalid_state',
        message: 'The truck is at Door 1, so the appointment cannot be moved.',
      })
    }
    expect(await get()).toEqual(before)
  })

  it('cannot be swapped, in either order', async () => {
    const { office, id, later, get } = await officeWithTruck(step)
    const before = await get()
    for (const swap of [
      { id, otherId: later },
      { id: later, otherId: id },
    ])
      expect((await office.refusal(swapAppointments, swap)).message).toBe(
        'The truck is at Door 1, so the appointment cannot be swapped.',
      )
    expect(await get()).toEqual(before)
  })

  it('can stay longer, and is moved after it was turned away or the step was undone', async () => {
    const { office, id, get } = await officeWithTruck(step)
    await office.run(updateAppointment, { id, durationMinutes: 90 })
    await office.run(undoStep, { id })
    await office.run(rescheduleAppointment, { id, startTime: '2026-11-17T10:00' })
    await record(office.ctx, { id, step })
    await office.run(recordStep, { id, step: 'turned_away', note: 'Wrong temperature' })
    await office.run(rescheduleAppointment, { id, targetDate: '2026-11-18' })
    expect(await get()).toMatchObject({ step: null, startTime: '2026-11-18T12:00:00.000Z' })
  })
})

describe('a truck that has checked in and waits', () => {
  it('gets another door or another time of the day, and stays checked in', async () => {
    const { office, id, get } = await officeWithTruck('checked_in')
    await office.run(rescheduleAppointment, { id, startTime: '2026-11-17T09:30', doorId: 'Door 2' })
    expect(await get()).toMatchObject({ step: 'checked_in', doorName: 'Door 2' })
    await office.run(rescheduleAppointment, { id, targetDate: '2026-11-17' })
    expect(await get()).toMatchObject({ step: 'checked_in', startTime: '2026-11-17T14:30:00.000Z' })
  })

  it('is not moved or swapped to another date: it is here', async () => {
    const { office, id, get } = await officeWithTruck('checked_in')
    const tomorrow = (await office.run(bookAppointment, load({ targetDate: '2026-11-18' }))).data
    const before = await get()
    const place = { startTime: '2026-11-18T09:00' }
    expect(await office.refusal(rescheduleAppointment, { id, ...place })).toMatchObject({
      code: 'invalid_state',
      message: 'The truck of PO-1 has checked in, so the appointment cannot be moved to 2026-11-18.',
    })
    for (const swap of [
      { id, otherId: tomorrow.id },
      { id: tomorrow.id, otherId: id },
    ])
      expect((await office.refusal(swapAppointments, swap)).message).toBe(
        'The truck of PO-1 has checked in, so the appointment cannot be swapped to 2026-11-18.',
      )
    expect(await get()).toEqual(before)
  })

  it('that came a day early can have a slot today', async () => {
    const office = await officeWith()
    const { id } = (await office.run(bookAppointment, load({ targetDate: '2026-11-17' }))).data
    await record(office.ctx, { id: id!, step: 'checked_in' })
    const { data } = await office.run(rescheduleAppointment, { id, targetDate: '2026-11-16' })
    expect(data.startTime).toBe('2026-11-16T14:00:00.000Z')
  })

  it('swaps with another appointment of the day', async () => {
    const { office, id, later, get } = await officeWithTruck('checked_in')
    await office.run(swapAppointments, { id, otherId: later })
    expect(await get()).toMatchObject({ step: 'checked_in', startTime: '2026-11-17T20:00:00.000Z' })
  })
})

describe('a truck that is there', () => {
  it.each(['checked_in', 'at_door', 'loading'] as const)(
    'is left by clearing its day to another one: %s',
    async (step) => {
      const { office, get } = await officeWithTruck(step)
      const before = await get()
      const clear = { facilityCode: 'DC1', date: '2026-11-17', policy: 'next-open-day' }
      const { results } = await office.run(clearAppointments, clear)
      expect(results).toMatchObject([{ outcome: 'skipped' }, { outcome: 'moved' }])
      expect(await get()).toEqual(before)
    },
  )

  it.each(['checked_in', 'at_door', 'loading'] as const)('is not moved with a date of its series: %s', async (step) => {
    const office = await officeWith()
    const { data } = await office.run(createSeries, {
      facilityCode: 'DC1',
      type: 'delivery',
      carrierName: 'Blue Freight',
      referencePrefix: 'MILK',
      days: ['tue'],
      startTime: '09:00',
      firstDate: '2026-11-17',
      durationMinutes: 60,
    })
    const [first] = data.occurrences
    office.at('2026-11-17T14:30:00Z')
    await record(office.ctx, { id: first!.appointmentId!, step })
    const move = { id: data.id, date: '2026-11-17', startTime: '14:00' }
    expect((await office.refusal(moveSeriesDate, move)).code).toBe('invalid_state')
  })
})
