import { describe, expect, it } from 'vitest'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { clearAppointments } from '../../../../src/docks/booking/operations/clear-appointments'
import { listAppointments } from '../../../../src/docks/booking/operations/list-appointments'
import { showHistory } from '../../../../src/docks/booking/operations/show-history'
import { closeFacility } from '../../../../src/docks/facilities/operations/close-facility'
import { listConflicts } from '../../../../src/docks/facilities/operations/list-conflicts'
import { removeDoor } from '../../../../src/docks/facilities/operations/remove-door'
import { type DockOffice, load, officeWith } from '../../dock-fixtures'

const FRIDAY = '2026-11-20'

const book = async (office: DockOffice, changes: Record<string, unknown> = {}) =>
  (await office.run(bookAppointment, load({ targetDate: FRIDAY, ...changes }))).data

const clear = (office: DockOffice, changes: Record<string, unknown> = {}, ctx = office.ctx) =>
  office.run(clearAppointments, { facilityCode: 'DC1', date: FRIDAY, policy: 'next-open-day', ...changes }, ctx)

const list = (office: DockOffice) =>
  office.run(listAppointments, { facilityCode: 'DC1', startDate: '2026-11-16', endDate: '2027-03-31' })

const local = (time: string) => `${time}:00.000Z`

describe('clearing a day', () => {
  it('moves each appointment to the next open day, at the same local time and door', async () => {
    const office = await officeWith()
    const one = await book(office, { startTime: '09:00', doorId: 'Door 2' })
    const two = await book(office, { startTime: '14:30', doorId: 'Door 1' })
    await book(office, { startTime: '2026-11-23T09:00', targetDate: null, doorId: 'Door 2' })
    const { planId, ...preview } = (await clear(office, { dryRun: true })) as any
    expect(await list(office)).toHaveLength(3)
    expect((await list(office)).slice(0, 2)).toMatchObject([{ startTime: one.startTime }, { startTime: two.startTime }])
    expect(planId).toEqual(expect.any(String))
    const report = await clear(office, { reason: 'Storm' })
    expect(report).toEqual({ ...preview, dryRun: false })
    expect(report).toMatchObject({
      moved: 2,
      refused: 0,
      results: [
        // Its own door is taken on Monday at 09:00, the other one is free.
        { id: one.id, outcome: 'moved', newStartTime: local('2026-11-23T15:00'), newDoorName: 'Door 1' },
        { id: two.id, outcome: 'moved', newStartTime: local('2026-11-23T20:30'), newDoorName: 'Door 1' },
      ],
    })
    expect(await office.run(listConflicts, { id: 'DC1' })).toEqual([])
    expect((await office.run(showHistory, { id: one.id })).at(-1)).toMatchObject({
      kind: 'rescheduled',
      reason: 'Storm',
    })
    expect(await clear(office)).toMatchObject({ moved: 0, results: [] })
  })

  it('keeps the local time over a clock change', async () => {
    const office = await officeWith()
    const { id } = await book(office, { startTime: '2027-03-12T09:00', targetDate: null })
    const { results } = await clear(office, { date: '2027-03-12', policy: 'next-week' })
    expect(results).toMatchObject([
      { id, startTime: local('2027-03-12T15:00'), newStartTime: local('2027-03-19T14:00') },
    ])
  })

  it('reports why an appointment found no slot, and leaves it as it was', async () => {
    const office = await officeWith({ doors: [{ name: 'Door 1' }] })
    const { id, startTime } = await book(office, { startTime: '09:00' })
    await office.run(closeFacility, { id: 'DC1', from: '2026-11-27' })
    const report = await clear(office, { policy: 'next-week' })
    expect(report).toMatchObject({
      moved: 0,
      refused: 1,
      results: [{ id, message: 'No free slot on 2026-11-27 (Friday): closed on this date.' }],
    })
    expect(clearAppointments.isPartial!(report)).toBe(true)
    expect(await list(office)).toMatchObject([{ id, startTime, sequence: 0 }])
    expect(await clear(office, { policy: 'date', targetDate: '2026-11-25' })).toMatchObject({ moved: 1 })
  })

  it('cancels, and leaves alone what has begun', async () => {
    const office = await officeWith()
    await book(office, { startTime: '08:00', referenceNumber: 'EARLY' })
    await book(office, { startTime: '15:00', referenceNumber: 'LATE' })
    office.at('2026-11-20T16:00:00Z')
    expect(await clear(office, { policy: 'cancel' })).toMatchObject({
      cancelled: 1,
      skipped: 1,
      results: [
        { referenceNumber: 'EARLY', outcome: 'skipped', message: 'It has begun.' },
        { referenceNumber: 'LATE', outcome: 'cancelled' },
      ],
    })
  })

  it('takes only the hours, the door, the type and the carrier that are given', async () => {
    const office = await officeWith()
    await book(office, { startTime: '10:00', doorId: 'Door 1', referenceNumber: 'A', durationMinutes: 120 })
    await book(office, { startTime: '10:00', doorId: 'Door 2', referenceNumber: 'B', type: 'pickup' })
    await book(office, { startTime: '13:00', doorId: 'Door 2', referenceNumber: 'C', carrierName: 'Red Line' })
    const cleared = async (filter: Record<string, unknown>) =>
      (await clear(office, { ...filter, dryRun: true })).results.map(({ referenceNumber }) => referenceNumber)
    expect(await cleared({ fromTime: '11:00', toTime: '13:00' })).toEqual(['A'])
    expect(await cleared({ fromTime: '11:00', toTime: '24:00' })).toEqual(['A', 'C'])
    expect(await cleared({ toTime: '11:00' })).toEqual(['A', 'B'])
    expect(await cleared({ type: 'pickup' })).toEqual(['B'])
    expect(await cleared({ carrierName: 'Red Line' })).toEqual(['C'])
    expect(await cleared({ date: '2026-11-16', endDate: FRIDAY })).toEqual(['A', 'B', 'C'])
    await office.run(removeDoor, { facilityCode: 'DC1', name: 'Door 2' })
    expect(await cleared({ doorId: 'Door 2' })).toEqual(['B', 'C'])
  })

  it.each([
    [{ policy: 'date' }, 'targetDate'],
    [{ policy: 'cancel', targetDate: '2026-11-25' }, 'targetDate'],
    [{ policy: 'date', targetDate: FRIDAY }, 'targetDate'],
    [{ policy: 'date', targetDate: '2026-11-02' }, 'targetDate'],
    [{ endDate: '2026-11-19' }, 'endDate'],
    [{ endDate: '2027-11-20' }, 'endDate'],
    [{ fromTime: '12:00', toTime: '11:00' }, 'toTime'],
    [{ doorId: 'Door 9' }, 'doorId'],
  ])('refuses %j', async (changes, path) => {
    const office = await officeWith()
    const input = { facilityCode: 'DC1', date: FRIDAY, policy: 'next-open-day', ...changes }
    expect((await office.refusal(clearAppointments, input)).details).toMatchObject([{ path }])
  })

  it('moves every appointment once, if it is stopped and run again, and if two run at once', async () => {
    const doors = Array.from({ length: 12 }, (_, index) => ({ name: `Door ${index + 1}` }))
    const office = await officeWith({ doors, capacity: 11 })
    for (let count = 0; count < 120; count++) await book(office)
    const stop = new AbortController()
    const stopped = { ...office.ctx, signal: stop.signal, progress: () => stop.abort() }
    const input = { facilityCode: 'DC1', date: FRIDAY, policy: 'next-open-day' }
    await office.refusal(clearAppointments, input, stopped)
    expect((await list(office)).filter(({ sequence }) => sequence === 1)).toHaveLength(100)
    const reports = await Promise.all([clear(office), clear(office, { policy: 'next-week' })])
    expect(reports.reduce((sum, { moved }) => sum + moved, 0)).toBe(20)
    const after = await list(office)
    expect(after.map(({ sequence }) => sequence)).toEqual(after.map(() => 1))
    expect(after.filter(({ startTime }) => startTime.startsWith(FRIDAY))).toEqual([])
    expect(new Set(after.map(({ startTime, doorId }) => `${startTime} ${doorId}`)).size).toBe(120)
    expect(await office.run(listConflicts, { id: 'DC1' })).toEqual([])
  })
})
