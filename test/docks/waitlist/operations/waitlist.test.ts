import { describe, expect, it } from 'vitest'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { confirmHold } from '../../../../src/docks/booking/operations/confirm-hold'
import { createHold } from '../../../../src/docks/booking/operations/create-hold'
import { listHolds } from '../../../../src/docks/booking/operations/list-holds'
import { releaseHold } from '../../../../src/docks/booking/operations/release-hold'
import { rescheduleAppointment } from '../../../../src/docks/booking/operations/reschedule-appointment'
import { swapAppointments } from '../../../../src/docks/booking/operations/swap-appointments'
import { updateAppointment } from '../../../../src/docks/booking/operations/update-appointment'
import { blockTime } from '../../../../src/docks/facilities/operations/block-time'
import { closeFacility } from '../../../../src/docks/facilities/operations/close-facility'
import { deleteFacility } from '../../../../src/docks/facilities/operations/delete-facility'
import { reopenFacility } from '../../../../src/docks/facilities/operations/reopen-facility'
import { restoreFacility } from '../../../../src/docks/facilities/operations/restore-facility'
import { updateDoor } from '../../../../src/docks/facilities/operations/update-door'
import { acceptOffer } from '../../../../src/docks/waitlist/operations/accept-offer'
import { addToWaitlist } from '../../../../src/docks/waitlist/operations/add-to-waitlist'
import { declineOffer } from '../../../../src/docks/waitlist/operations/decline-offer'
import { listWaitlist } from '../../../../src/docks/waitlist/operations/list-waitlist'
import { offerSlots } from '../../../../src/docks/waitlist/operations/offer-slots'
import { removeFromWaitlist } from '../../../../src/docks/waitlist/operations/remove-from-waitlist'
import { dockCaller } from '../../../dock-caller'
import { type DockOffice, load, officeWith } from '../../dock-fixtures'

/** One slot of an hour each Tuesday and Wednesday. */
const ONE_SLOT = {
  doors: [{ name: 'Door 1' }],
  queues: [{ days: ['tue', 'wed'], start: '09:00', end: '10:00' }],
  breaks: [],
}
const TUESDAY = '2026-11-17'

async function fullOffice() {
  const office = await officeWith(ONE_SLOT)
  const booked = (await office.run(bookAppointment, load())).data
  return { office, booked }
}
async function wait(office: DockOffice, referenceNumber: string, changes: Record<string, unknown> = {}) {
  return (await office.run(addToWaitlist, { ...load({ referenceNumber }), ...changes })).data
}
/** Who waits, and who has an offer. */
const listState = async (office: DockOffice) =>
  (await office.run(listWaitlist, { facilityCode: 'DC1' })).map(({ referenceNumber, offer }) =>
    offer ? `${referenceNumber} offered` : referenceNumber,
  )

describe('the waitlist', () => {
  it('gets the slot of a cancellation, held for the first one who waits, who accepts it', async () => {
    const { office, booked } = await fullOffice()
    const first = await wait(office, 'FIRST')
    await wait(office, 'SECOND')
    expect(first).toMatchObject({ position: 1, offer: null })
    await office.run(cancelAppointment, { id: booked.id })
    const offer = (await office.run(listWaitlist, { facilityCode: 'DC1' }))[0]!.offer!
    expect(offer).toMatchObject({ startTime: '2026-11-17T15:00:00.000Z', expiresAt: '2026-11-16T15:00:00.000Z' })
    expect((await office.refusal(bookAppointment, load({ startTime: '09:00' }))).code).toBe('slot_unavailable')
    const { data } = await office.run(acceptOffer, { id: first.id })
    expect(data).toMatchObject({ referenceNumber: 'FIRST', startTime: offer.startTime })
    expect(await listState(office)).toEqual(['SECOND'])
    expect(await office.run(listHolds, { facilityCode: 'DC1' })).toEqual([])
  })

  it('goes to the next one when an offer is declined or expires, and never back to one who had it', async () => {
    const { office, booked } = await fullOffice()
    const first = await wait(office, 'FIRST')
    for (const reference of ['SECOND', 'THIRD']) await wait(office, reference)
    await office.run(cancelAppointment, { id: booked.id })
    await office.run(declineOffer, { id: first.id })
    expect(await listState(office)).toEqual(['FIRST', 'SECOND offered', 'THIRD'])
    office.at('2026-11-16T15:00:00Z')
    expect(await office.run(offerSlots, {})).toEqual({ offers: 1 })
    expect(await listState(office)).toEqual(['FIRST', 'SECOND', 'THIRD offered'])
    office.at('2026-11-16T16:00:00Z')
    expect(await office.run(offerSlots, {})).toEqual({ offers: 0 })
    expect((await office.refusal(acceptOffer, { id: first.id })).code).toBe('invalid_state')
  })

  it('takes an answer to one offer only, not to one that was made since', async () => {
    const { office, booked } = await fullOffice()
    const { id } = await wait(office, 'FIRST', { targetDate: TUESDAY, lastDate: '2026-11-18' })
    const readOffer = async () => (await office.run(listWaitlist, { facilityCode: 'DC1' }))[0]!.offer!
    const former = await readOffer()
    await office.run(declineOffer, { id, holdId: former.holdId })
    await office.run(cancelAppointment, { id: booked.id })
    const current = await readOffer()
    expect(current.holdId).not.toBe(former.holdId)
    for (const answer of [acceptOffer, declineOffer])
      expect(await office.refusal(answer, { id, holdId: former.holdId })).toMatchObject({
        code: 'invalid_state',
        message: 'Another slot is offered now for FIRST.',
      })
    expect(await readOffer()).toEqual(current)
    const { data } = await office.run(acceptOffer, { id, holdId: current.holdId })
    expect(data.startTime).toBe(current.startTime)
  })

  it('offers the next start after a decline, also at a facility whose limit leaves room for one appointment only', async () => {
    const office = await officeWith({
      doors: ['Door 1', 'Door 2', 'Door 3'].map((name) => ({ name })),
      limits: [{ max: 2, per: 'day' }],
    })
    await office.run(bookAppointment, load({ startTime: '15:00' }))
    const { id, offer } = await wait(office, 'FIRST')
    expect(offer).toMatchObject({ startTime: '2026-11-17T12:00:00.000Z', doorName: 'Door 1' })
    await office.run(declineOffer, { id })
    const [again] = await office.run(listWaitlist, { facilityCode: 'DC1' })
    expect(again!.offer).toMatchObject({ startTime: '2026-11-17T12:15:00.000Z', doorName: 'Door 1' })
  })

  it.each<[string, Record<string, unknown>]>([
    ['the buffer', { bufferMinutes: 60 }],
    ['a capacity of one', { capacity: 1 }],
    ['a limit of the moment', { limits: [{ max: 1, per: 'moment' }] }],
  ])('excludes nothing but the declined start, whatever %s would keep from another appointment', async (_, rules) => {
    const office = await officeWith(rules)
    const { id } = await wait(office, 'FIRST')
    await office.run(declineOffer, { id })
    const [again] = await office.run(listWaitlist, { facilityCode: 'DC1' })
    expect(again!.offer).toMatchObject({ startTime: '2026-11-17T12:15:00.000Z' })
  })

  it.each<[string, (office: DockOffice) => Promise<unknown>, (office: DockOffice) => Promise<unknown>]>([
    [
      'a closed date',
      (office) => office.run(closeFacility, { id: 'DC1', from: TUESDAY, to: TUESDAY }),
      (office) => office.run(reopenFacility, { id: 'DC1', from: TUESDAY, to: TUESDAY }),
    ],
    [
      'a door out of use',
      (office) => office.run(updateDoor, { facilityCode: 'DC1', name: 'Door 1', active: false }),
      (office) => office.run(updateDoor, { facilityCode: 'DC1', name: 'Door 1', active: true }),
    ],
    [
      'a deleted facility',
      (office) => office.run(deleteFacility, { id: 'DC1' }),
      async (office) => {
        await office.run(restoreFacility, { id: 'DC1' })
        await office.run(offerSlots, {})
      },
    ],
  ])('offers the same slot again after %s had ended the offer', async (_, change, undo) => {
    const office = await officeWith(ONE_SLOT)
    const { offer } = await wait(office, 'FIRST')
    await change(office)
    expect(await office.run(listHolds, { facilityCode: 'DC1' }).catch(() => [])).toEqual([])
    await undo(office)
    const [again] = await office.run(listWaitlist, { facilityCode: 'DC1' })
    expect(again!.offer).toMatchObject({ startTime: offer!.startTime, doorName: 'Door 1' })
  })

  it('offers the same time at another door, if the offered one is blocked', async () => {
    const office = await officeWith()
    const { offer } = await wait(office, 'FIRST')
    const hours = { from: `${TUESDAY}T06:00`, to: `${TUESDAY}T12:00` }
    await office.run(blockTime, { id: 'DC1', ...hours, doors: ['Door 1'] })
    const [again] = await office.run(listWaitlist, { facilityCode: 'DC1' })
    expect(again!.offer).toMatchObject({ startTime: offer!.startTime, doorName: 'Door 2' })
  })

  it('offers a slot to the first one whom it fits', async () => {
    const { office, booked } = await fullOffice()
    await wait(office, 'LATER', { targetDate: '2026-11-24' })
    await wait(office, 'AFTERNOON', { notBefore: '13:00' })
    await wait(office, 'LONG', { durationMinutes: 90 })
    await wait(office, 'FITS')
    await office.run(cancelAppointment, { id: booked.id })
    expect(await listState(office)).toEqual(['LATER offered', 'AFTERNOON', 'LONG', 'FITS offered'])
  })

  it('gets a slot beside a hold over midnight in UTC, which limits count once', async () => {
    const office = await officeWith({
      queues: [{ days: ['tue'], start: '17:30', end: '18:30' }],
      breaks: [],
      limits: [{ max: 2, per: 'day' }],
    })
    await office.run(createHold, { facilityCode: 'DC1', type: 'pickup', targetDate: TUESDAY, durationMinutes: 60 })
    expect(await wait(office, 'BESIDE')).toMatchObject({ offer: { startTime: '2026-11-17T23:30:00.000Z' } })
  })

  it.each<[string, (office: DockOffice, id: string) => Promise<unknown>]>([
    ['a reschedule', (office, id) => office.run(rescheduleAppointment, { id, targetDate: '2026-11-18' })],
    [
      'a reopened facility',
      async (office, id) => {
        await office.run(closeFacility, { id: 'DC1', from: TUESDAY, to: TUESDAY })
        await office.run(cancelAppointment, { id })
        expect(await listState(office)).toEqual(['FIRST'])
        await office.run(reopenFacility, { id: 'DC1', from: TUESDAY, to: TUESDAY })
      },
    ],
    [
      'a released hold',
      async (office, id) => {
        await office.run(rescheduleAppointment, { id, targetDate: '2026-11-18' })
        const [hold] = await office.run(listHolds, { facilityCode: 'DC1' })
        await wait(office, 'SECOND')
        await office.run(releaseHold, { id: hold!.id })
        expect(await listState(office)).toEqual(['FIRST', 'SECOND offered'])
        await office.run(removeFromWaitlist, { id: (await office.run(listWaitlist, { facilityCode: 'DC1' }))[0]!.id })
      },
    ],
    [
      'a shorter stay',
      async (office, id) => {
        await office.run(addToWaitlist, load({ referenceNumber: 'SHORT', durationMinutes: 30 }))
        await office.run(updateAppointment, { id, durationMinutes: 30 })
      },
    ],
    [
      'a shorter appointment that is swapped to its place',
      async (office, id) => {
        const place = { targetDate: '2026-11-18', durationMinutes: 30 }
        const { data } = await office.run(bookAppointment, load(place))
        await office.run(addToWaitlist, load({ ...place, referenceNumber: 'BESIDE', notBefore: '09:30' }))
        await office.run(addToWaitlist, load({ referenceNumber: 'SHORT', durationMinutes: 30 }))
        await office.run(releaseHold, { id: (await office.run(listHolds, { facilityCode: 'DC1' }))[0]!.id })
        await office.run(swapAppointments, { id, otherId: data.id })
      },
    ],
  ])('gets the slot of %s', async (_, free) => {
    const { office, booked } = await fullOffice()
    await wait(office, 'FIRST')
    await free(office, booked.id!)
    expect((await listState(office)).filter((entry) => entry.endsWith(' offered'))).toHaveLength(1)
  })

  it('gets the slot of a hold that expires, and a confirmed hold ends the wait', async () => {
    const office = await officeWith(ONE_SLOT)
    await office.run(createHold, { facilityCode: 'DC1', type: 'delivery', targetDate: TUESDAY, durationMinutes: 60 })
    await wait(office, 'FIRST')
    office.at('2026-11-16T14:15:00Z')
    await office.run(offerSlots, {})
    const [hold] = await office.run(listHolds, { facilityCode: 'DC1' })
    expect(hold).toMatchObject({ carrierName: 'Blue Freight' })
    await office.run(confirmHold, { id: hold!.id, referenceNumber: 'BY-HOLD' })
    expect(await listState(office)).toEqual([])
  })

  it('offers a free slot at once, lists a reference once, and removes who waited for dates that are over', async () => {
    const office = await officeWith(ONE_SLOT)
    const first = await wait(office, 'FIRST')
    expect(first.offer).toMatchObject({ doorName: 'Door 1' })
    expect((await office.refusal(addToWaitlist, load({ referenceNumber: 'FIRST' }))).code).toBe('conflict')
    await wait(office, 'SECOND')
    await office.run(removeFromWaitlist, { id: first.id })
    expect(await listState(office)).toEqual(['SECOND offered'])
    office.at('2026-11-18T14:00:00Z')
    await office.run(offerSlots, {})
    expect(await listState(office)).toEqual([])
  })

  it('refuses a reference that is booked, and removes one that is booked meanwhile', async () => {
    const { office, booked } = await fullOffice()
    const refusal = await office.refusal(addToWaitlist, load({ referenceNumber: booked.referenceNumber }))
    expect(refusal.code).toBe('duplicate_reference')
    const offered = await wait(office, 'FIRST', { targetDate: '2026-11-24' })
    expect(offered.offer).not.toBeNull()
    await wait(office, 'SECOND', { targetDate: '2026-11-24' })
    await office.run(bookAppointment, load({ referenceNumber: 'FIRST', targetDate: '2026-11-18' }))
    await office.run(offerSlots, {})
    expect(await listState(office)).toEqual(['SECOND offered'])
    expect(await office.run(listHolds, { facilityCode: 'DC1' })).toHaveLength(1)
  })

  it('belongs to its tenant', async () => {
    const office = await officeWith(ONE_SLOT)
    const { id } = await wait(office, 'FIRST')
    const other = office.as(dockCaller({ tenantId: '11111111-0000-4000-8000-000000000000' }))
    for (const operation of [acceptOffer, declineOffer, removeFromWaitlist])
      expect((await office.refusal(operation, { id }, other)).code).toBe('not_found')
  })
})
