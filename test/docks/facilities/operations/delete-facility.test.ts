import { describe, expect, it } from 'vitest'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { confirmHold } from '../../../../src/docks/booking/operations/confirm-hold'
import { createHold } from '../../../../src/docks/booking/operations/create-hold'
import { listAppointments } from '../../../../src/docks/booking/operations/list-appointments'
import { showAvailability } from '../../../../src/docks/booking/operations/show-availability'
import { showHistory } from '../../../../src/docks/booking/operations/show-history'
import { closeFacility } from '../../../../src/docks/facilities/operations/close-facility'
import { createFacility } from '../../../../src/docks/facilities/operations/create-facility'
import { deleteFacility } from '../../../../src/docks/facilities/operations/delete-facility'
import { getFacility } from '../../../../src/docks/facilities/operations/get-facility'
import { listFacilities } from '../../../../src/docks/facilities/operations/list-facilities'
import { restoreFacility } from '../../../../src/docks/facilities/operations/restore-facility'
import { updateFacility } from '../../../../src/docks/facilities/operations/update-facility'
import { createSeries } from '../../../../src/docks/series/operations/create-series'
import { materializeSeries } from '../../../../src/docks/series/operations/materialize-series'
import { addToWaitlist } from '../../../../src/docks/waitlist/operations/add-to-waitlist'
import { offerSlots } from '../../../../src/docks/waitlist/operations/offer-slots'
import { suggest } from '../../../../src/kernel'
import { DC1, load, officeWith } from '../../dock-fixtures'

const DC1_ID = { id: 'DC1' }
const HOLD = { facilityCode: 'DC1', type: 'delivery', targetDate: '2026-11-17', durationMinutes: 60 }
const ONE_SLOT = {
  queues: [{ ...DC1.queues[0], start: '06:00', end: '07:00' }],
  breaks: [],
  doors: [{ name: 'Door 1' }],
}

describe('deleting a facility', () => {
  it('is refused while it has scheduled appointments, with their number and how to clear them', async () => {
    const office = await officeWith()
    const { data } = await office.run(bookAppointment, load())
    await office.run(bookAppointment, load({ targetDate: '2026-11-20' }))
    const refusal = await office.refusal(deleteFacility, DC1_ID)
    expect(refusal).toMatchObject({
      code: 'conflict',
      message: 'DC1 has 2 scheduled appointments, from 2026-11-17 to 2026-11-20.',
    })
    expect(refusal.hint).toContainEqual(suggest('facilities.close', DC1_ID))
    expect(refusal.hint).toContainEqual(
      suggest('appointments.clear', { facilityCode: 'DC1', date: '2026-11-17', policy: 'cancel' }),
    )
    await office.run(cancelAppointment, { id: data.id })
    expect((await office.refusal(deleteFacility, DC1_ID)).message).toBe(
      'DC1 has 1 scheduled appointment, on 2026-11-20.',
    )
    // Appointments that are over do not matter.
    office.at('2026-11-21T14:00:00Z')
    expect(await office.run(deleteFacility, DC1_ID)).toMatchObject({ archivedAt: '2026-11-21T14:00:00.000Z' })
  })

  it('removes it from the list, and keeps its appointments and their history', async () => {
    const office = await officeWith()
    const { data } = await office.run(bookAppointment, load({ referenceNumber: 'PO-OLD' }))
    await office.run(cancelAppointment, { id: data.id })
    const deleted = await office.run(deleteFacility, DC1_ID)
    expect(await office.run(deleteFacility, DC1_ID)).toEqual(deleted)
    expect(await office.run(listFacilities, {})).toEqual([])
    expect(await office.run(listFacilities, { archived: true })).toEqual([deleted])
    expect(await office.run(getFacility, DC1_ID)).toMatchObject(deleted)
    const found = await office.run(listAppointments, { facilityCode: 'DC1', referenceNumber: 'PO-OLD' })
    expect(found).toMatchObject([{ id: data.id, status: 'cancelled' }])
    expect(await office.run(showHistory, { id: data.id })).toHaveLength(2)
  })

  it('leaves nothing to book or change there, and nobody else its code', async () => {
    const office = await officeWith()
    const hold = await office.run(createHold, HOLD)
    await office.run(deleteFacility, DC1_ID)
    const attempts = [
      () => office.refusal(bookAppointment, load()),
      () => office.refusal(showAvailability, DC1_ID),
      () => office.refusal(closeFacility, DC1_ID),
      () => office.refusal(updateFacility, { ...DC1_ID, name: 'South' }),
    ]
    for (const attempt of attempts) {
      expect(await attempt()).toMatchObject({ code: 'not_found', message: 'The facility DC1 is deleted.' })
    }
    const held = await office.refusal(confirmHold, { id: hold.data.id, referenceNumber: 'PO-1' })
    expect(held.code).toBe('not_found')
    expect(await office.refusal(createFacility, DC1)).toMatchObject({
      code: 'conflict',
      message: 'A deleted facility has the code DC1.',
    })
  })

  it('pauses its series and its waitlist until it is restored with its doors and hours', async () => {
    const office = await officeWith(ONE_SLOT)
    const before = await office.run(getFacility, DC1_ID)
    const { referenceNumber: _, targetDate: __, ...terms } = load()
    const series = { referencePrefix: 'S', firstDate: '2026-12-07', days: ['mon'], startTime: '06:00', aheadDays: 7 }
    await office.run(createSeries, { ...terms, ...series })
    await office.run(createHold, HOLD)
    await office.run(addToWaitlist, load())
    await office.run(deleteFacility, DC1_ID)
    expect(await office.run(offerSlots, {})).toEqual({ offers: 0 })
    office.at('2026-12-01T14:00:00Z')
    expect(await office.run(materializeSeries, {})).toMatchObject({ booked: 0 })
    office.at('2026-11-16T15:00:00Z')
    await office.run(restoreFacility, DC1_ID)
    await office.run(restoreFacility, DC1_ID)
    expect(await office.run(getFacility, DC1_ID)).toEqual(before)
    expect(await office.run(offerSlots, {})).toEqual({ offers: 1 })
    office.at('2026-12-01T14:00:00Z')
    expect(await office.run(materializeSeries, {})).toMatchObject({ booked: 1 })
  })
})
