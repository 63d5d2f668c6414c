import { describe, expect, it } from 'vitest'
import { renderAppointmentsCsv } from '../../../../commands/views/docks/appointments-csv'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { confirmHold } from '../../../../src/docks/booking/operations/confirm-hold'
import { createHold } from '../../../../src/docks/booking/operations/create-hold'
import { getAppointment } from '../../../../src/docks/booking/operations/get-appointment'
import { importAppointments } from '../../../../src/docks/booking/operations/import-appointments'
import { listAppointments } from '../../../../src/docks/booking/operations/list-appointments'
import { rescheduleAppointment } from '../../../../src/docks/booking/operations/reschedule-appointment'
import { showAvailability } from '../../../../src/docks/booking/operations/show-availability'
import { swapAppointments } from '../../../../src/docks/booking/operations/swap-appointments'
import { updateAppointment } from '../../../../src/docks/booking/operations/update-appointment'
import { blockTime } from '../../../../src/docks/facilities/operations/block-time'
import { getFacility } from '../../../../src/docks/facilities/operations/get-facility'
import { listConflicts } from '../../../../src/docks/facilities/operations/list-conflicts'
import { removeDoor } from '../../../../src/docks/facilities/operations/remove-door'
import { unblockTime } from '../../../../src/docks/facilities/operations/unblock-time'
import { updateDoor } from '../../../../src/docks/facilities/operations/update-door'
import { updateFacility } from '../../../../src/docks/facilities/operations/update-facility'
import { toFacilityFields } from '../../../../src/docks/facilities/services/facility-options'
import { type DockOffice, load, officeWith } from '../../dock-fixtures'

const book = async (office: DockOffice, changes: Record<string, unknown> = {}) =>
  (await office.run(bookAppointment, load(changes))).data
/** 06:00 on Tuesday in Chicago is 12:00 UTC. */
const TUESDAY = '2026-11-17'

describe('blocked time', () => {
  it('takes no appointments, holds or moves, and refuses with the reason and alternatives', async () => {
    const office = await officeWith()
    await office.run(blockTime, { id: 'DC1', from: `${TUESDAY}T06:00`, to: '09:00', reason: 'Audit' })
    expect((await book(office)).startTime).toBe('2026-11-17T15:00:00.000Z')
    const hold = await office.run(createHold, { facilityCode: 'DC1', type: 'pickup', targetDate: TUESDAY })
    expect(hold.data.startTime).toBe('2026-11-17T15:00:00.000Z')
    const { id } = await book(office, { targetDate: '2026-11-18' })
    expect(await office.refusal(rescheduleAppointment, { id, startTime: `${TUESDAY}T08:30` })).toMatchObject({
      code: 'slot_unavailable',
      details: [{ reason: 'blocked' }, { alternative: { startTime: '2026-11-17T16:00:00.000Z' } }, {}, {}],
    })
    const free = await office.run(showAvailability, { id: 'DC1', date: TUESDAY, type: 'pickup' })
    expect(free.slots[0]).toMatchObject({ localTime: '10:00' })
  })

  it('of one door leaves the others free, and lists what it displaces', async () => {
    const office = await officeWith()
    const first = await book(office)
    const second = await book(office)
    const block = { id: 'DC1', from: `${TUESDAY}T00:00`, to: '2026-11-18T00:00', doors: ['Door 1'] }
    const preview = await office.run(blockTime, { ...block, dryRun: true })
    expect(preview.conflicts).toMatchObject([{ reason: 'blocked', appointment: { id: first.id } }])
    await office.run(blockTime, block)
    expect(await office.run(listConflicts, { id: 'DC1' })).toEqual(preview.conflicts)
    expect(await book(office)).toMatchObject({ doorName: 'Door 2', startTime: '2026-11-17T13:00:00.000Z' })
    const later = await book(office, { targetDate: '2026-11-18' })
    expect(later.doorName).toBe('Door 1')
    expect(await office.refusal(swapAppointments, { id: later.id, otherId: first.id })).toMatchObject({
      details: [{ reason: 'blocked' }],
    })
    expect(second.doorName).toBe('Door 2')
  })

  it('is the reason if it leaves no slot on a date', async () => {
    const office = await officeWith({ advanceToNextOpenDay: false })
    await office.run(blockTime, { id: 'DC1', from: `${TUESDAY}T05:00`, to: '17:30' })
    expect(await office.refusal(bookAppointment, load())).toMatchObject({
      code: 'fully_booked',
      details: [{ reason: 'blocked', doors: ['Door 1', 'Door 2'] }],
    })
  })

  it('ends where it is unblocked, and follows its doors', async () => {
    const office = await officeWith()
    await office.run(blockTime, { id: 'DC1', from: `${TUESDAY}T06:00`, to: '12:00' })
    await office.run(unblockTime, { id: 'DC1', from: `${TUESDAY}T08:00`, to: '09:00', doors: ['Door 2'] })
    expect(await book(office)).toMatchObject({ doorName: 'Door 2', startTime: '2026-11-17T14:00:00.000Z' })
    await office.run(updateDoor, { facilityCode: 'DC1', name: 'Door 1', newName: 'Ramp' })
    expect((await office.run(getFacility, { id: 'DC1' })).blockedTimes[1]).toMatchObject({ doors: ['Ramp'] })
    await office.run(removeDoor, { facilityCode: 'DC1', name: 'Ramp' })
    expect((await office.run(getFacility, { id: 'DC1' })).blockedTimes).toHaveLength(2)
    await office.run(unblockTime, { id: 'DC1' })
    expect((await office.run(getFacility, { id: 'DC1' })).blockedTimes).toEqual([])
  })

  it('names an existing door and ends after it starts', async () => {
    const office = await officeWith()
    const block = { id: 'DC1', from: `${TUESDAY}T06:00`, to: `${TUESDAY}T12:00` }
    expect(await office.refusal(blockTime, { ...block, doors: ['Door 9'] })).toMatchObject({ code: 'not_found' })
    expect(await office.refusal(blockTime, { ...block, to: '06:00' })).toMatchObject({ details: [{ path: 'to' }] })
  })
})

describe('requirements of a load', () => {
  /** Door 1 takes ordinary loads up to 150 inches, Door 2 reefers of any height. */
  const coldOffice = () =>
    officeWith({
      doors: [
        { name: 'Door 1', maxHeight: 150 },
        { name: 'Door 2', features: ['Reefer', 'hazmat', 'reefer'] },
      ],
    })
  const cold = { requirements: ['reefer'] }

  it('are met by the door of every booking, hold and move', async () => {
    const office = await coldOffice()
    expect((await book(office)).doorName).toBe('Door 1')
    const { id } = await book(office, cold)
    expect(await book(office, { equipmentHeight: 151 })).toMatchObject({ doorName: 'Door 2' })
    expect((await office.run(getAppointment, { id })).requirements).toEqual(['reefer'])
    const moved = await office.run(rescheduleAppointment, { id, targetDate: '2026-11-18' })
    expect(moved.data.doorName).toBe('Door 2')
    expect(
      await office.refusal(rescheduleAppointment, { id, startTime: `${TUESDAY}T10:00`, doorId: 'Door 1' }),
    ).toMatchObject({
      code: 'slot_unavailable',
      details: [{ reason: 'requirements' }, { alternative: { doorName: 'Door 2' } }, {}, {}],
    })
    const hold = await office.run(createHold, {
      facilityCode: 'DC1',
      type: 'pickup',
      carrierName: 'Acme',
      targetDate: TUESDAY,
      ...cold,
    })
    const confirmed = await office.run(confirmHold, { id: hold.data.id, referenceNumber: 'PO-H' })
    expect((await office.run(getAppointment, { id: confirmed.data.id })).requirements).toEqual(['reefer'])
    const free = await office.run(showAvailability, { id: 'DC1', date: '2026-11-19', type: 'pickup', ...cold })
    expect(new Set(free.slots.map(({ doorName }) => doorName))).toEqual(new Set(['Door 2']))
    expect(free.reasons).toMatchObject([{ doors: ['Door 1'], reason: 'requirements' }])
  })

  it('are the reason if no door meets them', async () => {
    const office = await coldOffice()
    const refused = await office.refusal(bookAppointment, load({ requirements: ['tail-lift'] }))
    expect(refused).toMatchObject({ code: 'no_slot' })
    expect(refused.details[0]).toMatchObject({ reason: 'requirements', doors: ['Door 1', 'Door 2'] })
  })

  it('cannot be broken by a swap, and a change of the load or of the door is checked', async () => {
    const office = await coldOffice()
    const warm = await book(office)
    const reefer = await book(office, cold)
    expect(await office.refusal(swapAppointments, { id: warm.id, otherId: reefer.id })).toMatchObject({
      details: [{ reason: 'requirements' }],
    })
    expect(await office.refusal(updateAppointment, { id: warm.id, equipmentHeight: 160 })).toMatchObject({
      code: 'slot_unavailable',
      details: [{ path: 'requirements', reason: 'requirements' }, {}, {}, {}],
    })
    await office.run(updateAppointment, { id: reefer.id, requirements: ['hazmat'] })
    const plain = { facilityCode: 'DC1', name: 'Door 2', features: [''], dryRun: true }
    expect((await office.run(updateDoor, plain)).conflicts).toMatchObject([{ reason: 'requirements' }])
  })

  it('survive an export and an import', async () => {
    const office = await coldOffice()
    await book(office, { ...cold, equipmentHeight: 140, referenceNumber: 'PO-COLD' })
    const csv = renderAppointmentsCsv(await office.run(listAppointments, { facilityCode: 'DC1', startDate: TUESDAY }))
    const other = await coldOffice()
    expect(await other.run(importAppointments, { text: csv })).toMatchObject({ imported: 1, refused: [] })
    expect(await other.run(listAppointments, { facilityCode: 'DC1', startDate: TUESDAY })).toMatchObject([
      { requirements: ['reefer'], equipmentHeight: 140, doorName: 'Door 2' },
    ])
  })
})

describe('a buffer between appointments', () => {
  it('keeps the minutes free before and after each appointment of a door', async () => {
    const office = await officeWith({ doors: [{ name: 'Door 1' }], bufferMinutes: 30 })
    const { id } = await book(office, { startTime: `${TUESDAY}T08:00` })
    const times = [await book(office), await book(office)].map(({ startTime }) => startTime)
    expect(times).toEqual(['2026-11-17T12:00:00.000Z', '2026-11-17T15:30:00.000Z'])
    expect(
      await office.refusal(bookAppointment, load({ startTime: `${TUESDAY}T07:15`, durationMinutes: 30 })),
    ).toMatchObject({
      details: [{ reason: 'buffer' }, {}, {}, {}],
    })
    expect(await office.refusal(updateAppointment, { id, durationMinutes: 75 })).toMatchObject({
      details: [{ reason: 'buffer' }, {}, {}, {}],
    })
    const { conflicts } = await office.run(updateFacility, { id: 'DC1', bufferMinutes: 31, dryRun: true })
    expect(conflicts).toMatchObject([{ reason: 'buffer' }, { reason: 'buffer' }])
  })
})

describe('a limit', () => {
  const doors = Array.from({ length: 4 }, (_, index) => ({ name: `Door ${index + 1}` }))
  const officeWithLimit = (...limits: object[]) => officeWith({ doors, limits })
  const startsOf = async (office: DockOffice, loads: Record<string, unknown>[]) => {
    const starts: string[] = []
    for (const changes of loads)
      starts.push((await book(office, { durationMinutes: 30, ...changes })).startTime.slice(11, 16))
    return starts
  }

  it('of appointments per hour counts the starts of the clock hour', async () => {
    const office = await officeWithLimit({ max: 2, per: 'hour' })
    expect(await startsOf(office, [{}, {}, {}, {}])).toEqual(['12:00', '12:00', '13:00', '13:00'])
    expect(
      await office.refusal(bookAppointment, load({ startTime: `${TUESDAY}T06:45`, durationMinutes: 15 })),
    ).toMatchObject({
      details: [{ reason: 'limit', doors: doors.map(({ name }) => name) }, {}, {}, {}],
    })
  })

  it('of pallets per hour counts the pallets of bookings and holds', async () => {
    const office = await officeWithLimit({ max: 40, per: 'hour', unit: 'pallets' })
    const hold = { facilityCode: 'DC1', type: 'pickup', targetDate: TUESDAY, palletCount: 30 }
    const { data } = await office.run(createHold, hold)
    expect(await startsOf(office, [{ palletCount: 11 }, { palletCount: 10 }])).toEqual(['13:00', '12:00'])
    const more = { id: data.id, carrierName: 'Acme', referenceNumber: 'PO-H', palletCount: 31 }
    expect(await office.refusal(confirmHold, more)).toMatchObject({ details: [{ reason: 'limit' }, {}, {}, {}] })
    const booked = await office.run(confirmHold, { ...more, palletCount: undefined })
    const refused = await office.refusal(updateAppointment, { id: booked.data.id, palletCount: 31 })
    expect(refused).toMatchObject({ details: [{ path: 'palletCount', reason: 'limit' }, {}, {}, {}] })
    expect(await office.run(updateAppointment, { id: booked.data.id, palletCount: 29 })).toMatchObject({
      status: 'success',
    })
  })

  it('of a carrier leaves the others free', async () => {
    const office = await officeWithLimit(
      { max: 1, per: 'day', eachCarrier: true },
      { max: 0, per: 'day', carriers: ['Barred'] },
    )
    const { startTime, referenceNumber } = await book(office)
    expect((await book(office)).startTime).toBe('2026-11-18T12:00:00.000Z')
    expect((await book(office, { carrierName: 'Acme' })).startTime).toBe(startTime)
    expect(await office.refusal(bookAppointment, load({ carrierName: 'Barred' }))).toMatchObject({ code: 'no_slot' })
    const copy = { ...load({ startTime: `${TUESDAY}T09:00` }), referenceNumber }
    expect(await office.refusal(bookAppointment, { ...copy, referenceNumber: 'PO-X' })).toMatchObject({
      details: [{ reason: 'limit' }, {}],
    })
  })

  it('at once is that of crews: of a type, for the whole stay', async () => {
    const office = await officeWithLimit({ name: 'Forklifts', max: 1, per: 'moment', types: ['delivery'] })
    expect(await startsOf(office, [{}, {}, { type: 'pickup' }])).toEqual(['12:00', '12:30', '12:00'])
    const { id } = await book(office, { targetDate: '2026-11-18' })
    expect(await office.refusal(rescheduleAppointment, { id, startTime: `${TUESDAY}T06:45` })).toMatchObject({
      details: [{ reason: 'taken' }, { reason: 'limit' }, {}, {}, {}],
    })
    const free = await office.run(showAvailability, { id: 'DC1', date: TUESDAY, type: 'delivery', minutes: 30 })
    expect(free.slots[0]!.localTime).toBe('07:00')
  })

  describe('that was lowered below what is booked refuses only what makes it worse:', () => {
    const pallets = { max: 20, per: 'hour', unit: 'pallets' }
    /** A load of 30 pallets at 06:00, and a limit of 20 each hour. */
    async function overFull(limit: object = pallets, changes: object = {}) {
      const office = await officeWithLimit()
      const { id } = await book(office, { startTime: `${TUESDAY}T06:00`, palletCount: 30, ...changes })
      await office.run(updateFacility, { id: 'DC1', limits: [limit] })
      return { office, id }
    }
    const reasonOf = async (
      office: DockOffice,
      op: typeof updateAppointment | typeof rescheduleAppointment,
      input: object,
    ) =>
      office.run(op as typeof updateAppointment, input).then(
        () => 'done',
        ({ details }) => details[0].reason,
      )

    it.each([
      ['fewer pallets, although they are still too many', { palletCount: 25 }, 'done'],
      ['another carrier', { carrierName: 'Acme' }, 'done'],
      ['another type', { type: 'pickup' }, 'done'],
      ['a longer stay', { durationMinutes: 90 }, 'done'],
      ['more pallets', { palletCount: 31 }, 'limit'],
      ['more pallets of another carrier', { palletCount: 31, carrierName: 'Acme' }, 'limit'],
    ])('%s', async (_, changes, outcome) => {
      const { office, id } = await overFull()
      expect(await reasonOf(office, updateAppointment, { id, ...changes })).toBe(outcome)
    })

    it.each([
      ['to the carrier that has too many', 'Blue Freight', 'limit'],
      ['to a carrier with none', 'Third', 'limit'],
      ['and not changed', 'Acme', 'done'],
    ])('the carrier of a load, counted for each carrier, given %s', async (_, carrierName, outcome) => {
      const { office } = await overFull({ ...pallets, eachCarrier: true })
      const other = await book(office, { startTime: `${TUESDAY}T06:00`, carrierName: 'Acme', palletCount: 20 })
      await office.run(updateFacility, { id: 'DC1', limits: [{ ...pallets, max: 10, eachCarrier: true }] })
      expect(await reasonOf(office, updateAppointment, { id: other.id, carrierName, palletCount: 20 })).toBe(outcome)
    })

    it.each([
      ['within the hour', { startTime: `${TUESDAY}T06:30` }, 'done'],
      ['to another door', { startTime: `${TUESDAY}T06:00`, doorId: 'Door 3' }, 'done'],
      ['to an hour with room for some', { startTime: `${TUESDAY}T08:00` }, 'limit'],
    ])('a move %s', async (_, place, outcome) => {
      const { office, id } = await overFull()
      expect(await reasonOf(office, rescheduleAppointment, { id, ...place })).toBe(outcome)
    })

    it('a move of one of too many at once, which keeps to the time that it had', async () => {
      const { office, id } = await overFull({ max: 0, per: 'moment' })
      await office.run(updateAppointment, { id, durationMinutes: 30 })
      expect(
        await reasonOf(office, rescheduleAppointment, { id, startTime: `${TUESDAY}T06:00`, doorId: 'Door 2' }),
      ).toBe('done')
      expect(await reasonOf(office, rescheduleAppointment, { id, startTime: `${TUESDAY}T06:15` })).toBe('limit')
    })

    it('the first free slot of its own date', async () => {
      const { office, id } = await overFull({ max: 0, per: 'day' })
      expect(await reasonOf(office, rescheduleAppointment, { id, targetDate: TUESDAY, durationMinutes: 30 })).toBe(
        'done',
      )
      expect(await office.refusal(rescheduleAppointment, { id, targetDate: '2026-11-18' })).toMatchObject({
        code: 'fully_booked',
      })
    })

    it('a swap after which no hour has more than before', async () => {
      const { office, id } = await overFull()
      const beside = await book(office, { startTime: `${TUESDAY}T06:15`, doorId: 'Door 2', palletCount: 0 })
      const later = await book(office, { startTime: `${TUESDAY}T08:00`, palletCount: 5 })
      await office.run(swapAppointments, { id, otherId: beside.id })
      const refusal = await office.refusal(swapAppointments, { id, otherId: later.id })
      expect(refusal).toMatchObject({ code: 'slot_unavailable', details: [{ reason: 'limit' }] })
    })

    it('the confirmation of a hold', async () => {
      const office = await officeWithLimit()
      const hold = { facilityCode: 'DC1', type: 'pickup', targetDate: TUESDAY, palletCount: 30 }
      const { data } = await office.run(createHold, hold)
      await office.run(updateFacility, { id: 'DC1', limits: [pallets] })
      const more = { id: data.id, carrierName: 'Acme', referenceNumber: 'PO-L', palletCount: 31 }
      expect(await office.refusal(confirmHold, more)).toMatchObject({ details: [{ reason: 'limit' }] })
      expect((await office.run(confirmHold, { ...more, palletCount: 30 })).data.palletCount).toBe(30)
    })

    it('a capacity, too, leaves appointments the time that they had', async () => {
      const office = await officeWithLimit()
      const [one] = [await book(office), await book(office)]
      await office.run(updateFacility, { id: 'DC1', capacity: 1 })
      expect(await reasonOf(office, updateAppointment, { id: one!.id, type: 'pickup' })).toBe('done')
      const shorter = { id: one!.id, startTime: `${TUESDAY}T06:15`, durationMinutes: 45, doorId: 'Door 3' }
      expect(await reasonOf(office, rescheduleAppointment, shorter)).toBe('done')
      expect(await reasonOf(office, rescheduleAppointment, { ...shorter, startTime: `${TUESDAY}T06:00` })).toBe(
        'capacity',
      )
    })
  })

  it('lists what exceeds it when it is lowered, and holds in an import', async () => {
    const office = await officeWithLimit()
    await startsOf(office, [{}, {}, { targetDate: '2026-11-18' }])
    const lowered = { id: 'DC1', limits: [{ max: 1, per: 'day' }] }
    const { conflicts } = await office.run(updateFacility, lowered)
    expect(conflicts.map(({ reason, appointment }) => [reason, appointment.startTime.slice(0, 10)])).toEqual([
      ['limit', TUESDAY],
      ['limit', TUESDAY],
    ])
    const rows = [1, 2].map((n) => ({
      type: 'pickup',
      carrierName: 'A',
      referenceNumber: `I${n}`,
      targetDate: '2026-11-19',
    }))
    await office.run(importAppointments, { text: JSON.stringify(rows), facilityCode: 'DC1' })
    const days = await office.run(listAppointments, {
      facilityCode: 'DC1',
      startDate: '2026-11-19',
      endDate: '2026-11-20',
    })
    expect(days.map(({ startTime }) => startTime.slice(0, 10))).toEqual(['2026-11-19', '2026-11-20'])
  })

  it('is written as a phrase on the command line', () => {
    expect(
      toFacilityFields({ limit: ['60 pallets per day per carrier', '2 at once for delivery: Forklifts'] }),
    ).toEqual({
      limits: [
        { max: 60, unit: 'pallets', per: 'day', eachCarrier: true, types: null },
        { max: 2, unit: 'appointments', per: 'moment', eachCarrier: false, types: ['delivery'], name: 'Forklifts' },
      ],
    })
    expect(toFacilityFields({ limit: ['none'] })).toEqual({ limits: [] })
    expect(() => toFacilityFields({ limit: ['many'] })).toThrow(/unknown format/)
  })
})

describe('lengths', () => {
  const lengthsOf = (...texts: string[]) => toFacilityFields({ length: texts })

  it('are those of the free slots, which a booking of the same load then gets', async () => {
    const office = await officeWith({ ...lengthsOf('delivery: 60 + 3 per pallet'), defaultMinutes: 45 })
    const free = (more = {}) =>
      office.run(showAvailability, { id: 'DC1', date: '2026-11-17', palletCount: 10, ...more })
    expect((await free({ type: 'delivery' })).minutes).toBe(90)
    expect((await free({ minutes: 30 })).minutes).toBe(30)
    const both = await free()
    expect(both.minutes).toBeNull()
    const slot = both.slots.find(({ type }) => type === 'delivery')!
    const { data } = await office.run(
      bookAppointment,
      load({ type: 'delivery', palletCount: 10, durationMinutes: null }),
    )
    expect([data.startTime, data.endTime]).toEqual([slot.startTime, slot.endTime])
  })

  it('are those of the first rule that applies to the load, within the limits of the facility', async () => {
    const rules = ['floor-loaded: 60 + 3 per pallet', 'delivery up to 10 pallets: 45', 'all: 30 + 0.5 per piece']
    const office = await officeWith({ ...lengthsOf(...rules), minMinutes: 30 })
    const minutes = async (changes: Record<string, unknown>) =>
      (await book(office, { durationMinutes: null, ...changes })).durationMinutes
    const floor = { requirements: ['floor-loaded'] }
    await office.run(updateDoor, { facilityCode: 'DC1', name: 'Door 1', features: ['floor-loaded'] })
    expect(await minutes({ ...floor, palletCount: 20 })).toBe(120)
    expect(await minutes({ ...floor, palletCount: 20, durationMinutes: 75 })).toBe(75)
    expect(await minutes({ ...floor, palletCount: 200 })).toBe(240)
    expect(await minutes({ type: 'delivery', palletCount: 10 })).toBe(45)
    expect(await minutes({ type: 'delivery', palletCount: 11 })).toBe(42) // no rule applies: 2 each plus 20
    expect(await minutes({ type: 'delivery', palletCount: 11, pieceCount: 101 })).toBe(81)
    expect(await minutes({ type: 'pickup', palletCount: null })).toBe(60) // the default length
    const hold = { facilityCode: 'DC1', type: 'pickup', targetDate: '2026-11-19', pieceCount: 100 }
    expect((await office.run(createHold, hold)).data.durationMinutes).toBe(80)
    await office.run(updateFacility, { id: 'DC1', ...lengthsOf('none') })
    expect(await minutes({ type: 'delivery', palletCount: 10, targetDate: '2026-11-20' })).toBe(40)
  })

  it('can count pieces, which are kept, listed and imported', async () => {
    const office = await officeWith()
    const { id } = await book(office, { pieceCount: 900 })
    await office.run(updateAppointment, { id, pieceCount: 901 })
    expect((await office.run(getAppointment, { id })).pieceCount).toBe(901)
    const csv = renderAppointmentsCsv(await office.run(listAppointments, { facilityCode: 'DC1', startDate: TUESDAY }))
    const other = await officeWith()
    await other.run(importAppointments, { text: csv })
    const [copy] = await other.run(listAppointments, { facilityCode: 'DC1', startDate: TUESDAY })
    expect(copy!.pieceCount).toBe(901)
  })

  it('have a format that is explained', () => {
    for (const text of [
      '',
      ':',
      '60',
      'pickup: an hour',
      ': 60',
      'pickup up to many pallets: 45',
      `${'a '.repeat(100_000)}: x`,
    ])
      expect(() => lengthsOf(text)).toThrow(/has an unknown format/)
    expect(lengthsOf('delivery reefer up to 10 pieces: 45')).toEqual({
      lengths: [{ types: ['delivery'], requirements: ['reefer'], maxPieces: 10, minutes: 45 }],
    })
  })
})
