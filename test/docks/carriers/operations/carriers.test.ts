import { beforeAll, describe, expect, it } from 'vitest'
import { verifyTenantKey } from '../../../../src/access'
import { createTenantKey } from '../../../../src/access/operations/create-tenant-key'
import { loadAllOperations } from '../../../../src/catalog'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { confirmHold } from '../../../../src/docks/booking/operations/confirm-hold'
import { createHold } from '../../../../src/docks/booking/operations/create-hold'
import { getAppointment } from '../../../../src/docks/booking/operations/get-appointment'
import { listAppointments } from '../../../../src/docks/booking/operations/list-appointments'
import { listHolds } from '../../../../src/docks/booking/operations/list-holds'
import { releaseHold } from '../../../../src/docks/booking/operations/release-hold'
import { rescheduleAppointment } from '../../../../src/docks/booking/operations/reschedule-appointment'
import { showAvailability } from '../../../../src/docks/booking/operations/show-availability'
import { updateAppointment } from '../../../../src/docks/booking/operations/update-appointment'
import { admitCarrier } from '../../../../src/docks/carriers/operations/admit-carrier'
import { excludeCarrier } from '../../../../src/docks/carriers/operations/exclude-carrier'
import { blockTime } from '../../../../src/docks/facilities/operations/block-time'
import { getFacility } from '../../../../src/docks/facilities/operations/get-facility'
import { listFacilities } from '../../../../src/docks/facilities/operations/list-facilities'
import { updateFacility } from '../../../../src/docks/facilities/operations/update-facility'
import { createSeries } from '../../../../src/docks/series/operations/create-series'
import { addToWaitlist } from '../../../../src/docks/waitlist/operations/add-to-waitlist'
import { listWaitlist } from '../../../../src/docks/waitlist/operations/list-waitlist'
import { type AnyOperation, isDockAccess, StudioError } from '../../../../src/kernel'
import { type DockOffice, load, NOW, officeWith } from '../../dock-fixtures'

const DC1_ID = { id: 'DC1' }
const BLUE = 'Blue Freight'
const TUESDAY = '2026-11-17'

/** A facility that admits Blue Freight, and a caller with its key. */
async function officeOfBlue(limits: Record<string, unknown> = {}) {
  const office = await officeWith()
  await office.run(admitCarrier, { ...DC1_ID, name: BLUE, ...limits })
  return { office, blue: await callerFor(office, BLUE) }
}

async function callerFor(office: DockOffice, carrier?: string) {
  const { key } = await office.run(createTenantKey, { carrier })
  return office.as((await verifyTenantKey(office.db, key, NOW))!)
}

const withoutReference = ({ referenceNumber: _, ...rest }: Record<string, unknown>) => rest

describe('the operations that a carrier may call', () => {
  let operations: AnyOperation[]
  beforeAll(async () => {
    operations = (await loadAllOperations()).filter(({ access }) => isDockAccess(access))
  })

  it('are these', () => {
    const allowed = operations.filter(({ access }) => isDockAccess(access) && access.carriers)
    expect(allowed.map(({ id }) => id).sort()).toEqual([
      'appointments.book',
      'appointments.cancel',
      'appointments.find',
      'appointments.get',
      'appointments.list',
      'appointments.reschedule',
      'appointments.update',
      'attachments.add',
      'attachments.get',
      'attachments.list',
      'facilities.availability',
      'facilities.get',
      'facilities.list',
      'holds.confirm',
      'holds.create',
      'holds.list',
      'holds.release',
      'waitlist.accept',
      'waitlist.add',
      'waitlist.decline',
      'waitlist.list',
      'waitlist.remove',
    ])
  })

  it('are refused otherwise, whatever the input is', async () => {
    const { office, blue } = await officeOfBlue()
    for (const op of operations.filter(({ access }) => !(isDockAccess(access) && access.carriers)))
      expect([op.id, (await office.refusal(op as never, {}, blue)).code]).toEqual([op.id, 'forbidden'])
  })

  it('name no other carrier and none of its references, in answers and in errors', async () => {
    const { office, blue } = await officeOfBlue()
    const red = (changes = {}) => load({ carrierName: 'RED LINE', referenceNumber: `RED-${++count}`, ...changes })
    let count = 0
    await office.run(admitCarrier, { ...DC1_ID, name: 'RED LINE' })
    const redLimit = { name: 'RED LINE a day', max: 50, per: 'day', carriers: ['RED LINE', BLUE] }
    await office.run(updateFacility, { ...DC1_ID, limits: [redLimit] })
    await office.run(blockTime, { ...DC1_ID, from: `${TUESDAY}T17:00`, to: '18:00', reason: 'For RED LINE' })
    const { id } = (await office.run(bookAppointment, red({ startTime: '06:00', doorId: 'Door 1' }))).data
    const hold = (await office.run(createHold, { ...withoutReference(red()), startTime: '08:00' })).data
    const own = (await office.run(bookAppointment, load({ startTime: '06:00', doorId: 'Door 2' }))).data
    const waiting = (await office.run(addToWaitlist, red({ referenceNumber: 'RED-W' }))).data
    const ownWait = (await office.run(addToWaitlist, load(), blue)).data
    const { targetDate: _, ...terms } = withoutReference(red())
    const dates = { days: ['wed'], startTime: '10:00', firstDate: '2026-11-18', referencePrefix: 'RED' }
    await office.run(createSeries, { ...terms, ...dates })
    const ownHold = (await office.run(createHold, withoutReference(load()))).data
    const facility = { facilityCode: 'DC1' }
    const place = { startTime: `${TUESDAY}T06:00`, doorId: 'Door 1' }
    const calls: [string, Record<string, unknown>][] = [
      ['facilities.list', {}],
      ['facilities.get', DC1_ID],
      ['facilities.availability', { ...DC1_ID, date: TUESDAY }],
      ['appointments.list', { ...facility, startDate: TUESDAY, endDate: '2026-12-17' }],
      ['appointments.list', { ...facility, referenceNumber: 'RED-1' }],
      ['appointments.list', { ...facility, carrierName: 'Red Line', startDate: TUESDAY }],
      ['appointments.find', { startDate: TUESDAY, endDate: '2026-11-30' }],
      ['holds.list', facility],
      ['appointments.book', load({ referenceNumber: 'RED-1' })],
      ['appointments.book', load(place)],
      ['appointments.book', red()],
      ['holds.create', { ...facility, type: 'delivery', ...place }],
      ['appointments.get', { id: own.id }],
      ['appointments.update', { id: own.id, referenceNumber: 'RED-1' }],
      ['appointments.update', { id: own.id, carrierName: 'RED LINE' }],
      ['appointments.reschedule', { id: own.id, ...place }],
      ['holds.confirm', { id: ownHold.id, referenceNumber: 'RED-1' }],
      ['appointments.get', { id }],
      ['appointments.update', { id, palletCount: 1 }],
      ['appointments.reschedule', { id, targetDate: TUESDAY }],
      ['appointments.cancel', { id }],
      ['attachments.list', { id }],
      ['attachments.add', { id, name: 'bol.pdf', content: 'JVBERi0xLjQK' }],
      ['holds.confirm', { id: hold.id, referenceNumber: 'PO-X' }],
      ['holds.release', { id: hold.id }],
      ['waitlist.list', facility],
      ['waitlist.add', load({ referenceNumber: 'RED-1' })],
      ['waitlist.add', red()],
      ['waitlist.accept', { id: waiting.id }],
      ['waitlist.decline', { id: waiting.id }],
      ['waitlist.remove', { id: waiting.id }],
      ['waitlist.decline', { id: ownWait.id }],
    ]
    for (const [name, input] of calls) {
      const op = operations.find((one) => one.id === name)!
      const answer = await office.run(op as never, input, blue).catch((error: unknown) => {
        if (!(error instanceof StudioError)) throw error
        return [error.code, error.message.replace('RED-1', ''), error.hint, error.details]
      })
      expect([name, JSON.stringify(answer)]).not.toEqual([name, expect.stringContaining('RED')])
    }
    const nowhere = '11111111-1111-4111-8111-111111111111'
    for (const op of [getAppointment, cancelAppointment]) {
      const foreign = await office.refusal(op, { id }, blue)
      expect(foreign.message.replace(id!, nowhere)).toBe((await office.refusal(op, { id: nowhere }, blue)).message)
    }
    expect(await office.run(getAppointment, { id })).toMatchObject({ status: 'scheduled', palletCount: null })
    // With those of the two offers.
    expect(await office.run(listHolds, facility)).toHaveLength(4)
  })

  it('are only for its own appointments', async () => {
    const { office, blue } = await officeOfBlue()
    const other = load({ carrierName: 'RED LINE' })
    const refusal = await office.refusal(bookAppointment, other, blue)
    expect(refusal).toMatchObject({ code: 'forbidden', message: 'This key is only for appointments of Blue Freight.' })
    const { data: own } = await office.run(bookAppointment, load(), blue)
    await office.run(bookAppointment, other)
    const list = { facilityCode: 'DC1', startDate: TUESDAY }
    expect(await office.run(listAppointments, list, blue)).toMatchObject([{ id: own.id }])
    expect((await office.refusal(updateAppointment, { id: own.id, carrierName: 'RED LINE' }, blue)).code).toBe(
      'forbidden',
    )
    const hold = await office.run(createHold, { facilityCode: 'DC1', type: 'pickup', targetDate: TUESDAY }, blue)
    expect(hold.data.carrierName).toBe(BLUE)
    expect((await office.run(confirmHold, { id: hold.data.id, referenceNumber: 'A' }, blue)).data.carrierName).toBe(
      BLUE,
    )
  })

  it('are only for the facilities that admit it', async () => {
    const { office, blue } = await officeOfBlue()
    const { data } = await office.run(bookAppointment, load(), blue)
    const seen = await office.run(listFacilities, {}, blue)
    expect(seen).toMatchObject([{ code: 'DC1', carriers: [{ name: BLUE, perDay: null, cancelCutoffMinutes: 0 }] }])
    await office.run(excludeCarrier, { ...DC1_ID, name: BLUE })
    expect(await office.run(listFacilities, {}, blue)).toEqual([])
    expect(await office.refusal(getFacility, DC1_ID, blue)).toMatchObject({ message: 'There is no facility DC1.' })
    for (const [op, input] of [
      [bookAppointment, load()],
      [listAppointments, { facilityCode: 'DC1' }],
      [getAppointment, { id: data.id }],
      [cancelAppointment, { id: data.id }],
      [updateAppointment, { id: data.id, palletCount: 1 }],
    ] as const)
      expect((await office.refusal(op as never, input, blue)).code).toBe('not_found')
    expect((await office.refusal(excludeCarrier, { ...DC1_ID, name: BLUE })).code).toBe('not_found')
  })
})

describe('the limits of a carrier', () => {
  it('are the days ahead, also of a rollover and of suggested slots', async () => {
    const { office, blue } = await officeOfBlue({ daysAhead: 1 })
    const late = await office.refusal(bookAppointment, load({ targetDate: '2026-11-18' }), blue)
    expect(late).toMatchObject({
      code: 'invalid',
      details: [{ path: 'targetDate', message: expect.stringContaining('2026-11-17, the last date') }],
    })
    const { data } = await office.run(bookAppointment, load(), blue)
    for (const [op, input] of [
      [createHold, { facilityCode: 'DC1', type: 'delivery', startTime: '2026-11-18T08:00' }],
      [rescheduleAppointment, { id: data.id, targetDate: '2026-11-18' }],
      [showAvailability, { ...DC1_ID, date: '2026-11-18' }],
    ] as const)
      expect((await office.refusal(op as never, input, blue)).code).toBe('invalid')
    await office.run(updateFacility, { ...DC1_ID, closures: [{ from: TUESDAY, to: TUESDAY }] })
    expect((await office.refusal(bookAppointment, load(), blue)).code).toBe('facility_closed')
    const chosen = await office.refusal(bookAppointment, load({ startTime: `${TUESDAY}T08:00` }), blue)
    expect(JSON.stringify(chosen.details)).not.toContain('alternative')
    expect((await office.run(bookAppointment, load())).data.startTime).toMatch(/^2026-11-18/)
  })

  it('are the number a day, of appointments and holds, also in a move and under concurrent requests', async () => {
    const { office, blue } = await officeOfBlue({ perDay: 3 })
    const hold = { facilityCode: 'DC1', type: 'delivery', targetDate: TUESDAY, durationMinutes: 15 }
    const outcomes = await Promise.allSettled(
      Array.from({ length: 24 }, (_, n) =>
        n % 2 ? office.run(bookAppointment, load(), blue) : office.run(createHold, hold, blue),
      ),
    )
    const tuesday = async () =>
      (await office.run(listAppointments, { facilityCode: 'DC1', startDate: TUESDAY, endDate: TUESDAY }, blue)).length +
      (await office.run(listHolds, { facilityCode: 'DC1' }, blue)).filter((one) => one.startTime < '2026-11-18').length
    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true)
    expect(await tuesday()).toBe(3)
    expect((await office.run(showAvailability, { ...DC1_ID, date: TUESDAY }, blue)).slots).toEqual([])
    const { data } = await office.run(bookAppointment, load({ targetDate: '2026-11-19' }), blue)
    const move = await office.refusal(rescheduleAppointment, { id: data.id, targetDate: TUESDAY }, blue)
    expect(move.code).toBe('fully_booked')
    // The facility itself may book more for the carrier, and others are not limited.
    await office.run(bookAppointment, load())
    expect(await tuesday()).toBe(4)
    expect((await office.run(bookAppointment, load({ carrierName: 'RED LINE' }))).data.startTime).toContain(TUESDAY)
  })

  it('are the times until which it may change and cancel, which do not bind the facility', async () => {
    const { office, blue } = await officeOfBlue({ changeCutoffMinutes: 120, cancelCutoffMinutes: 1440 })
    const { id } = (await office.run(bookAppointment, load({ startTime: `${TUESDAY}T09:00` }), blue)).data
    office.at('2026-11-16T15:00:00Z')
    await office.run(updateAppointment, { id, palletCount: 2 }, blue)
    office.at('2026-11-16T15:00:01Z')
    expect(await office.refusal(cancelAppointment, { id }, blue)).toMatchObject({
      code: 'invalid_state',
      message: 'Blue Freight cannot cancel an appointment at DC1 less than 1440 minutes before its start.',
    })
    await office.run(updateAppointment, { id, palletCount: 1 }, blue)
    office.at('2026-11-17T13:00:01Z')
    const refusal = await office.refusal(updateAppointment, { id, palletCount: 3 }, blue)
    expect(refusal.message).toContain('cannot change an appointment at DC1 less than 120 minutes before')
    await office.run(updateAppointment, { id, palletCount: 3 })
    await office.run(cancelAppointment, { id })
    expect((await office.run(cancelAppointment, { id }, blue)).message).toContain('already cancelled')
  })

  it.each([
    [{ changeCutoffMinutes: 0, cancelCutoffMinutes: 1440 }, 1440],
    [{ changeCutoffMinutes: 1440, cancelCutoffMinutes: 0 }, 1440],
    [{ changeCutoffMinutes: 120, cancelCutoffMinutes: 240 }, 240],
  ])(
    'keep it from moving what it can no longer cancel to a later time and cancelling it there: %j',
    async (cutoffs, minutes) => {
      const { office, blue } = await officeOfBlue(cutoffs)
      const { id } = (await office.run(bookAppointment, load({ startTime: `${TUESDAY}T09:00` }), blue)).data
      const start = Date.parse('2026-11-17T15:00:00Z')
      office.at(new Date(start - minutes * 60_000).toISOString())
      await office.run(rescheduleAppointment, { id, startTime: `${TUESDAY}T09:00`, doorId: 'Door 2' }, blue)
      office.at(new Date(start - minutes * 60_000 + 1).toISOString())
      for (const place of [{ targetDate: '2026-11-24' }, { startTime: `${TUESDAY}T10:00` }])
        expect(await office.refusal(rescheduleAppointment, { id, ...place }, blue)).toMatchObject({
          code: 'invalid_state',
          message: `Blue Freight cannot move an appointment at DC1 less than ${minutes} minutes before its start.`,
        })
      await office.run(rescheduleAppointment, { id, targetDate: '2026-11-24' })
      await office.run(cancelAppointment, { id }, blue)
    },
  )

  it('do not limit what its cancellation frees for others', async () => {
    const { office, blue } = await officeOfBlue({ daysAhead: 7, perDay: 1 })
    const oneSlot = [{ name: 'A', days: ['wed'], start: '06:00', end: '07:00' }]
    await office.run(updateFacility, { ...DC1_ID, queues: oneSlot, breaks: [], capacity: 1 })
    const { id } = (await office.run(bookAppointment, load({ targetDate: '2026-12-02' }))).data
    const held = (await office.run(createHold, withoutReference(load({ targetDate: '2026-12-09' })))).data
    for (const targetDate of ['2026-12-02', '2026-12-09'])
      await office.run(addToWaitlist, load({ carrierName: 'RED LINE', targetDate }))
    await office.run(cancelAppointment, { id }, blue)
    await office.run(releaseHold, { id: held.id }, blue)
    const waiting = await office.run(listWaitlist, { facilityCode: 'DC1' })
    expect(waiting).toMatchObject([{ offer: { doorName: 'Door 1' } }, { offer: { doorName: 'Door 1' } }])
  })
})

describe('what one caller may hold', () => {
  const hold = { facilityCode: 'DC1', type: 'delivery', targetDate: TUESDAY, durationMinutes: 15 }
  /** The error codes of the calls that were refused. */
  const refusalsOf = async (calls: readonly Promise<unknown>[]) =>
    (await Promise.allSettled(calls)).flatMap((call) => (call.status === 'rejected' ? [call.reason.code] : []))

  it('is for a carrier no more than it may book on a date, under concurrent requests for many dates too', async () => {
    const { office, blue } = await officeOfBlue({ perDay: 5 })
    const second = await callerFor(office, BLUE)
    const dates = ['2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20']
    const calls = Array.from({ length: 32 }, (_, n) =>
      office.run(createHold, { ...hold, targetDate: dates[n % 4] }, n % 8 < 4 ? blue : second),
    )
    expect(await refusalsOf(calls)).toEqual(Array(27).fill('limited'))
    expect(await office.run(listHolds, { facilityCode: 'DC1' })).toHaveLength(5)
    expect((await office.refusal(createHold, hold, blue)).message).toBe(
      'Blue Freight has 5 holds at DC1, which is the maximum.',
    )
    const [first] = await office.run(listHolds, { facilityCode: 'DC1' }, blue)
    await office.run(releaseHold, { id: first!.id }, blue)
    expect((await office.run(createHold, hold, blue)).status).toBe('success')
  })

  it('is a quarter of the holds and of the waitlist of a facility for a dock key', async () => {
    const office = await officeWith()
    const [greedy, other] = [await callerFor(office), await callerFor(office)]
    expect(await refusalsOf(Array.from({ length: 56 }, () => office.run(createHold, hold, greedy)))).toEqual(
      Array(6).fill('limited'),
    )
    expect((await office.run(createHold, hold, other)).status).toBe('success')
    const wait = (n: number, caller = greedy) => {
      const entry = { ...load({ referenceNumber: `W-${n}`, targetDate: TUESDAY }), durationMinutes: 15 }
      return office.run(addToWaitlist, entry, caller)
    }
    expect(await refusalsOf(Array.from({ length: 52 }, (_, n) => wait(n)))).toEqual(['conflict', 'conflict'])
    expect((await wait(100, other)).status).toBe('success')
  })
  it('is a quarter of the holds for all keys of a carrier together', async () => {
    const { office, blue } = await officeOfBlue({ perDay: null })
    const second = await callerFor(office, BLUE)
    const calls = Array.from({ length: 52 }, (_, n) => office.run(createHold, hold, n % 2 ? blue : second))
    expect(await refusalsOf(calls)).toEqual(['limited', 'limited'])
  })
})
