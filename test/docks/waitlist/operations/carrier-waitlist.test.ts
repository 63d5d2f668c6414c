import { describe, expect, it } from 'vitest'
import { verifyTenantKey } from '../../../../src/access'
import { createTenantKey } from '../../../../src/access/operations/create-tenant-key'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { listHolds } from '../../../../src/docks/booking/operations/list-holds'
import { admitCarrier } from '../../../../src/docks/carriers/operations/admit-carrier'
import { excludeCarrier } from '../../../../src/docks/carriers/operations/exclude-carrier'
import { acceptOffer } from '../../../../src/docks/waitlist/operations/accept-offer'
import { addToWaitlist } from '../../../../src/docks/waitlist/operations/add-to-waitlist'
import { declineOffer } from '../../../../src/docks/waitlist/operations/decline-offer'
import { listWaitlist } from '../../../../src/docks/waitlist/operations/list-waitlist'
import { offerSlots } from '../../../../src/docks/waitlist/operations/offer-slots'
import { removeFromWaitlist } from '../../../../src/docks/waitlist/operations/remove-from-waitlist'
import { type DockOffice, load, NOW, officeWith } from '../../dock-fixtures'

const BLUE = 'Blue Freight'
const RED = 'Red Line'
const DC1 = { facilityCode: 'DC1' }

/** Two slots on Tuesday and two on Wednesday, those of Tuesday booked by the site, and a key of each carrier. */
async function fullOffice(limits: Record<string, unknown> = {}) {
  const office = await officeWith({
    doors: [{ name: 'Door 1' }],
    queues: [{ days: ['tue', 'wed'], start: '09:00', end: '11:00' }],
    breaks: [],
  })
  for (const name of [BLUE, RED]) await office.run(admitCarrier, { id: 'DC1', name, ...limits })
  const booked = [
    (await office.run(bookAppointment, load({ carrierName: 'Site' }))).data.id,
    (await office.run(bookAppointment, load({ carrierName: 'Site' }))).data.id,
  ]
  return { office, booked, blue: await callerFor(office, BLUE), red: await callerFor(office, RED) }
}

async function callerFor(office: DockOffice, carrier: string) {
  const { key } = await office.run(createTenantKey, { carrier })
  return office.as((await verifyTenantKey(office.db, key, NOW))!)
}

const entry = (carrierName: string, changes = {}) => load({ carrierName, ...changes })

describe('a carrier on the waitlist', () => {
  it('joins with its key, gets an offer in its turn, accepts it, and sees its own entries with their places', async () => {
    const { office, booked, blue, red } = await fullOffice()
    const first = (await office.run(addToWaitlist, entry(RED), red)).data
    const second = (await office.run(addToWaitlist, entry(BLUE), blue)).data
    expect(await office.run(listWaitlist, DC1, blue)).toMatchObject([{ id: second.id, position: 2, offer: null }])
    expect(await office.run(listWaitlist, DC1)).toHaveLength(2)
    for (const id of booked) await office.run(cancelAppointment, { id })
    expect(await office.run(listWaitlist, DC1, blue)).toMatchObject([
      { id: second.id, offer: { startTime: '2026-11-17T16:00:00.000Z' } },
    ])
    const { data } = await office.run(acceptOffer, { id: second.id }, blue)
    expect(data).toMatchObject({ carrierName: BLUE, startTime: '2026-11-17T16:00:00.000Z' })
    expect(await office.run(listWaitlist, DC1, red)).toMatchObject([{ id: first.id, position: 1 }])
  })

  it('declines and leaves, which offers the slot to the next one, also of another carrier', async () => {
    const { office, booked, blue, red } = await fullOffice()
    const first = (await office.run(addToWaitlist, entry(BLUE), blue)).data
    const second = (await office.run(addToWaitlist, entry(RED), red)).data
    await office.run(cancelAppointment, { id: booked[0] })
    const offered = async (caller: typeof blue) => (await office.run(listWaitlist, DC1, caller))[0]?.offer?.startTime
    expect(await offered(blue)).toBe('2026-11-17T15:00:00.000Z')
    await office.run(declineOffer, { id: first.id }, blue)
    expect([await offered(blue), await offered(red)]).toEqual([undefined, '2026-11-17T15:00:00.000Z'])
    await office.run(removeFromWaitlist, { id: second.id }, red)
    expect(await office.run(listWaitlist, DC1, red)).toEqual([])
    await office.run(addToWaitlist, entry('Site'))
    expect((await office.run(listWaitlist, DC1))[1]).toMatchObject({ carrierName: 'Site', offer: expect.any(Object) })
  })

  it('cannot touch the entry of another carrier, which answers as one that does not exist', async () => {
    const { office, booked, blue, red } = await fullOffice()
    const { id } = (await office.run(addToWaitlist, entry(BLUE), blue)).data
    await office.run(cancelAppointment, { id: booked[0] })
    const nowhere = '11111111-1111-4111-8111-111111111111'
    for (const op of [acceptOffer, declineOffer, removeFromWaitlist]) {
      const foreign = await office.refusal(op, { id }, red)
      const missing = await office.refusal(op, { id: nowhere }, red)
      expect([foreign.code, foreign.message.replace(id, nowhere)]).toEqual(['not_found', missing.message])
    }
    expect((await office.refusal(addToWaitlist, entry(BLUE), red)).code).toBe('forbidden')
    expect(await office.run(listWaitlist, DC1, blue)).toMatchObject([{ id, offer: expect.any(Object) }])
  })

  it('neither learns which references others wait for, nor takes their places by booking these', async () => {
    const { office, booked, blue, red } = await fullOffice()
    const wait = entry(BLUE, { referenceNumber: 'B-1', references: ['B-2'] })
    const { id } = (await office.run(addToWaitlist, wait, blue)).data
    const again = await office.refusal(addToWaitlist, { ...wait, referenceNumber: 'B-3' }, blue)
    expect(again).toMatchObject({ code: 'conflict', message: 'B-2 is already on the waitlist.' })
    const own = (await office.run(addToWaitlist, entry(RED, { referenceNumber: 'B-2' }), red)).data
    await office.run(removeFromWaitlist, { id: own.id }, red)
    const taken = { referenceNumber: 'B-2', targetDate: '2026-11-18' }
    const thief = (await office.run(bookAppointment, entry(RED, taken), red)).data
    await office.run(cancelAppointment, { id: booked[0] })
    expect(await office.run(listWaitlist, DC1, blue)).toMatchObject([{ id, offer: null }])
    await office.run(cancelAppointment, { id: thief.id }, red)
    expect(await office.run(listWaitlist, DC1, blue)).toMatchObject([{ id, offer: expect.any(Object) }])
    // An offer that cannot be accepted would hold the slot for nothing.
    await office.run(bookAppointment, entry(RED, taken), red)
    await office.run(offerSlots, {})
    expect(await office.run(listWaitlist, DC1, blue)).toMatchObject([{ id, offer: null }])
    expect(await office.run(listHolds, DC1)).toEqual([])
  })

  it('leaves the waitlist when its reference is booked for it', async () => {
    const { office, blue } = await fullOffice()
    await office.run(addToWaitlist, entry(BLUE, { referenceNumber: 'B-1', references: ['B-2'] }), blue)
    await office.run(bookAppointment, entry(BLUE, { referenceNumber: 'B-2', targetDate: '2026-11-18' }))
    await office.run(offerSlots, {})
    expect(await office.run(listWaitlist, DC1)).toEqual([])
  })

  it('gets no offer beyond its own limits, which do not bind the entries of the site and of others', async () => {
    const { office, booked, blue } = await fullOffice({ perDay: 1 })
    const ownOne = (await office.run(addToWaitlist, entry(BLUE), blue)).data
    const bySite = (await office.run(addToWaitlist, entry(BLUE))).data
    for (const id of booked) await office.run(cancelAppointment, { id })
    await office.run(acceptOffer, { id: ownOne.id }, blue)
    expect(await office.run(listWaitlist, DC1)).toMatchObject([{ id: bySite.id, offer: expect.any(Object) }])
    await office.run(acceptOffer, { id: bySite.id })
    // Two appointments on Tuesday are more than its limit, so it waits for Wednesday.
    const next = (await office.run(addToWaitlist, entry(BLUE, { lastDate: '2026-11-18' }), blue)).data
    expect(next.offer?.startTime).toBe('2026-11-18T15:00:00.000Z')
    expect((await office.refusal(addToWaitlist, entry(BLUE), blue)).code).toBe('conflict')
  })

  it('waits only for the dates that it may book', async () => {
    const { office, blue } = await fullOffice({ daysAhead: 1 })
    const late = { targetDate: '2026-11-17', lastDate: '2026-11-18' }
    const error = await office.refusal(addToWaitlist, entry(BLUE, late), blue)
    expect(error).toMatchObject({ code: 'invalid', details: [{ path: 'lastDate' }] })
    await office.run(addToWaitlist, entry(BLUE, { targetDate: '2026-11-17' }), blue)
  })

  it('waits without an offer while the facility does not admit it', async () => {
    const { office, booked, blue } = await fullOffice()
    await office.run(addToWaitlist, entry(BLUE), blue)
    await office.run(excludeCarrier, { id: 'DC1', name: BLUE })
    await office.run(cancelAppointment, { id: booked[0] })
    expect(await office.run(listHolds, DC1)).toEqual([])
    await office.run(admitCarrier, { id: 'DC1', name: BLUE })
    await office.run(offerSlots, {})
    expect(await office.run(listWaitlist, DC1, blue)).toMatchObject([{ offer: expect.any(Object) }])
  })
})
