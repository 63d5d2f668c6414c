import { describe, expect, it } from 'vitest'
import { colorsFor } from '../../../../commands/terminal/colors'
import { renderBoardSvg } from '../../../../commands/views/board/drawing'
import { renderTimeline } from '../../../../commands/views/board/timeline'
import { renderFacilityChange } from '../../../../commands/views/docks/facility-change'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { confirmHold } from '../../../../src/docks/booking/operations/confirm-hold'
import { createHold } from '../../../../src/docks/booking/operations/create-hold'
import { importAppointments } from '../../../../src/docks/booking/operations/import-appointments'
import { listAppointments } from '../../../../src/docks/booking/operations/list-appointments'
import { listHolds } from '../../../../src/docks/booking/operations/list-holds'
import { releaseHold } from '../../../../src/docks/booking/operations/release-hold'
import { rescheduleAppointment } from '../../../../src/docks/booking/operations/reschedule-appointment'
import { showAvailability } from '../../../../src/docks/booking/operations/show-availability'
import { swapAppointments } from '../../../../src/docks/booking/operations/swap-appointments'
import { updateAppointment } from '../../../../src/docks/booking/operations/update-appointment'
import { closeFacility } from '../../../../src/docks/facilities/operations/close-facility'
import { removeDoor } from '../../../../src/docks/facilities/operations/remove-door'
import { showBoard } from '../../../../src/docks/facilities/operations/show-board'
import { formatConflictQuestion } from '../../../../src/docks/facilities/services/change-facility'
import { type DockOffice, load, officeWith } from '../../dock-fixtures'

const plain = colorsFor('out', { isTty: false, env: {}, noColor: true })

const NINE = { facilityCode: 'DC1', type: 'delivery', startTime: '2026-11-17T09:00', durationMinutes: 60 }
const ONE_DOOR = { doors: [{ name: 'Door 1' }] }

async function holdAtNine(office: DockOffice, changes: Record<string, unknown> = {}) {
  return (await office.run(createHold, { ...NINE, ...changes })).data
}
const bookAt = async (office: DockOffice, startTime: string) =>
  (await office.run(bookAppointment, load({ startTime, referenceNumber: `AT-${startTime}` }))).data
const refusalAtNine = (office: DockOffice) => office.refusal(bookAppointment, load({ startTime: '09:00' }))

describe('holding a slot', () => {
  it('reserves the slot that a booking would get, for some minutes', async () => {
    const office = await officeWith(ONE_DOOR)
    const { message, data } = await office.run(createHold, { ...NINE, carrierName: 'Blue Freight', holdMinutes: 30 })
    expect(message).toBe('Held until 2026-11-16 08:30: 2026-11-17 09:00 (America/Chicago) at Door 1.')
    expect(data).toMatchObject({
      startTime: '2026-11-17T15:00:00.000Z',
      endTime: '2026-11-17T16:00:00.000Z',
      expiresAt: '2026-11-16T14:30:00.000Z',
      carrierName: 'Blue Freight',
    })
    expect(await office.run(listHolds, { facilityCode: 'DC1' })).toEqual([data])
    expect(await office.run(listAppointments, { facilityCode: 'DC1', startDate: '2026-11-17' })).toEqual([])
  })

  it('is respected by every search and every change', async () => {
    const office = await officeWith({ ...ONE_DOOR, queues: [{ days: ['tue'], start: '08:00', end: '11:00' }] })
    const before = await bookAt(office, '08:00')
    await holdAtNine(office)
    const after = await bookAt(office, '10:00')
    await office.run(updateAppointment, { id: after.id, durationMinutes: 30 })
    expect((await refusalAtNine(office)).details[0]).toMatchObject({ reason: 'taken' })
    expect((await office.refusal(createHold, NINE)).code).toBe('slot_unavailable')
    const { slots } = await office.run(showAvailability, {
      id: 'DC1',
      date: '2026-11-17',
      type: 'delivery',
      minutes: 30,
    })
    expect(slots.map(({ localTime }) => localTime)).toEqual(['10:30'])
    const moved = await office.refusal(rescheduleAppointment, { id: before.id, startTime: '2026-11-17T08:30' })
    expect(moved.details[0]).toMatchObject({ reason: 'taken' })
    expect((await office.refusal(updateAppointment, { id: before.id, durationMinutes: 75 })).code).toBe(
      'slot_unavailable',
    )
    await office.run(updateAppointment, { id: before.id, durationMinutes: 30 })
    const early = await bookAt(office, '08:30').catch(() => null)
    expect(early).toBeNull() // one hour does not fit before the hold
    const longer = { id: after.id, otherId: before.id }
    await office.run(updateAppointment, { id: after.id, durationMinutes: 60 })
    await office.run(swapAppointments, longer)
    const row = 'type,carrier,reference,start,duration\ndelivery,Acme,IMP-1,2026-11-17T09:00:00-06:00,30\n'
    const report = await office.run(importAppointments, { text: row, facilityCode: 'DC1' })
    expect(report.rows).toMatchObject([{ outcome: 'moved', startTime: '2026-11-17T16:30:00.000Z' }])
  })

  it('counts for the capacity, and is one of the capacity', async () => {
    const office = await officeWith({ capacity: 1 })
    await holdAtNine(office)
    expect((await refusalAtNine(office)).details.at(0)).toMatchObject({ reason: 'taken' })
    const other = await office.refusal(bookAppointment, load({ startTime: '09:30', doorId: 'Door 2' }))
    expect(other.details[0]).toMatchObject({ reason: 'capacity' })
  })

  it('expires by itself, and is not stored forever', async () => {
    const office = await officeWith(ONE_DOOR)
    const { id } = await holdAtNine(office)
    office.at('2026-11-16T14:14:59.999Z')
    expect((await refusalAtNine(office)).code).toBe('slot_unavailable')
    office.at('2026-11-16T14:15:00Z')
    expect(await office.run(listHolds, { facilityCode: 'DC1' })).toEqual([])
    const late = await office.refusal(confirmHold, { id, carrierName: 'Acme', referenceNumber: 'PO-1' })
    expect(late).toMatchObject({
      code: 'invalid_state',
      message: 'The hold expired at 2026-11-16 08:15 (America/Chicago).',
    })
    await bookAt(office, '09:00')
    await holdAtNine(office, { startTime: '2026-11-17T10:00' })
    expect((await office.refusal(releaseHold, { id })).code).toBe('not_found')
  })

  it('is released before', async () => {
    const office = await officeWith(ONE_DOOR)
    const { id } = await holdAtNine(office)
    await office.run(releaseHold, { id })
    await bookAt(office, '09:00')
    expect((await office.refusal(releaseHold, { id })).code).toBe('not_found')
  })

  it('is on the board of its date, as JSON, text and drawing', async () => {
    const office = await officeWith()
    await bookAt(office, '09:00')
    const { id } = await holdAtNine(office, { carrierName: 'A < B' })
    const board = await office.run(showBoard, { id: 'DC1', date: '2026-11-17' })
    expect(board.doors.map(({ holds }) => holds)).toMatchObject([[], [{ id, localStart: '09:00', localEnd: '10:00' }]])
    const text = renderTimeline(board, {
      colors: plain,
      width: 100,
    })
    expect(text).toContain('(held')
    expect(text).toContain('(…) held')
    expect(renderBoardSvg(board)).toContain('09:00-10:00 held for A &#60; B')
    const next = await office.run(showBoard, { id: 'DC1', date: '2026-11-18' })
    expect(next.doors.flatMap(({ holds }) => holds)).toEqual([])
    expect(renderTimeline(next, { colors: plain, width: 100 })).not.toContain('held')
  })

  it('belongs to its tenant', async () => {
    const office = await officeWith()
    const { id } = await holdAtNine(office)
    const stranger = office.as({ kind: 'terminal', tenant: 'acme' })
    expect((await office.refusal(releaseHold, { id }, stranger)).code).toBe('not_found')
  })
})

describe('confirming a hold', () => {
  it('books exactly the held slot, once', async () => {
    const office = await officeWith({ ...ONE_DOOR, capacity: 1, leadMinutes: 60 })
    const { id } = await holdAtNine(office, { carrierName: 'Blue Freight', holdMinutes: 1440 })
    office.at('2026-11-17T13:59:00Z')
    const booking = { id, referenceNumber: 'PO-1', palletCount: 90, trailerId: 'T-1' }
    const { message, data } = await office.run(confirmHold, booking)
    expect(message).toBe('Booked for 2026-11-17 09:00 (America/Chicago) at Door 1.')
    expect(data).toMatchObject({
      durationMinutes: 60,
      carrierName: 'Blue Freight',
      equipmentId: 'T-1',
      palletCount: 90,
    })
    expect((await office.refusal(confirmHold, booking)).code).toBe('not_found')
    expect(await office.run(listHolds, { facilityCode: 'DC1' })).toEqual([])
  })

  it('needs a carrier and an unused reference, and stays held if it is refused', async () => {
    const office = await officeWith(ONE_DOOR)
    const { id } = await holdAtNine(office)
    const other = await bookAt(office, '14:00')
    expect(await office.refusal(confirmHold, { id, referenceNumber: 'PO-1' })).toMatchObject({
      code: 'invalid',
      details: [{ path: 'carrierName' }],
    })
    const again = { id, carrierName: 'Acme', referenceNumber: other.referenceNumber }
    expect((await office.refusal(confirmHold, again)).code).toBe('duplicate_reference')
    expect(await office.run(listHolds, { facilityCode: 'DC1' })).toMatchObject([{ id }])
  })

  it('is not possible after a change of the facility that leaves no place for the hold, which ends it', async () => {
    const office = await officeWith()
    const { id } = await holdAtNine(office, { doorId: 'Door 2' })
    const other = await holdAtNine(office, { doorId: 'Door 1' })
    const removal = { facilityCode: 'DC1', name: 'Door 2' }
    const preview = await office.run(removeDoor, { ...removal, dryRun: true })
    expect(preview.releasedHolds).toMatchObject([{ id, doorName: 'Door 2' }])
    expect(formatConflictQuestion(preview)).toBe('One hold would end. Continue?')
    expect(await office.run(listHolds, { facilityCode: 'DC1' })).toHaveLength(2)
    const { releasedHolds } = await office.run(removeDoor, removal)
    expect(releasedHolds).toEqual(preview.releasedHolds)
    expect((await office.refusal(confirmHold, { id, carrierName: 'Acme', referenceNumber: 'PO-1' })).code).toBe(
      'not_found',
    )
    expect(await office.run(listHolds, { facilityCode: 'DC1' })).toEqual([other])
    const closed = await office.run(closeFacility, { id: 'DC1', from: '2026-11-17', to: '2026-11-17' })
    expect(closed.releasedHolds).toEqual([other])
    expect(renderFacilityChange(closed, { colors: plain, width: 80 })).toContain(
      '1 hold ended with this change:\n  2026-11-17 09:00  Door 1\n',
    )
  })
})

describe('the number of holds', () => {
  it('is limited, without those that have expired', async () => {
    const doors = Array.from({ length: 200 }, (_, n) => ({ name: `Door ${n}` }))
    const office = await officeWith({ doors })
    for (const { name } of doors) await holdAtNine(office, { doorId: name })
    const refusal = await office.refusal(createHold, { ...NINE, startTime: '2026-11-17T13:00' })
    expect(refusal).toMatchObject({ code: 'limited', message: 'DC1 has 200 holds, which is the maximum.' })
    office.at('2026-11-16T14:16:00Z')
    await holdAtNine(office)
  })
})
