import { describe, expect, it } from 'vitest'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { getAppointment } from '../../../../src/docks/booking/operations/get-appointment'
import { rescheduleAppointment } from '../../../../src/docks/booking/operations/reschedule-appointment'
import { addDoor } from '../../../../src/docks/facilities/operations/add-door'
import { closeFacility } from '../../../../src/docks/facilities/operations/close-facility'
import { getFacility } from '../../../../src/docks/facilities/operations/get-facility'
import { listConflicts } from '../../../../src/docks/facilities/operations/list-conflicts'
import { listDoors } from '../../../../src/docks/facilities/operations/list-doors'
import { removeDoor } from '../../../../src/docks/facilities/operations/remove-door'
import { reopenFacility } from '../../../../src/docks/facilities/operations/reopen-facility'
import { updateDoor } from '../../../../src/docks/facilities/operations/update-door'
import { updateFacility } from '../../../../src/docks/facilities/operations/update-facility'
import { formatDate, parseDate } from '../../../../src/kernel/time'
import { type DockOffice, load, officeWith } from '../../dock-fixtures'

const book = async (office: DockOffice, changes: Record<string, unknown> = {}) =>
  (await office.run(bookAppointment, load(changes))).data
const facility = async (office: DockOffice) => {
  const { revision: _, ...shown } = await office.run(getFacility, { id: 'DC1' })
  return shown
}
const revisionOf = async (office: DockOffice) => (await office.run(getFacility, { id: 'DC1' })).revision
const doorNames = async (office: DockOffice) =>
  (await office.run(listDoors, { facilityCode: 'DC1' })).map(({ name, position }) => `${position} ${name}`)

const shorter = [{ name: 'Weekdays', days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '08:00', end: '18:00' }]

describe('changing a facility', () => {
  it('changes only the given fields', async () => {
    const office = await officeWith({ leadMinutes: 30 })
    const before = await facility(office)
    const { facility: after, changed } = await office.run(updateFacility, { id: 'DC1', name: 'Norden', capacity: 1 })
    expect(after).toEqual({ ...before, name: 'Norden', capacity: 1 })
    expect(changed).toBe(true)
    expect(await facility(office)).toEqual(after)
    expect(await office.run(updateFacility, { id: 'DC1', name: 'Norden' })).toMatchObject({ changed: false })
  })

  it('accepts the output of facility get', async () => {
    const office = await officeWith()
    const record = await office.run(getFacility, { id: 'DC1' })
    const { revision, ...shown } = record
    expect(await office.run(updateFacility, record)).toEqual({
      facility: shown,
      revision,
      dryRun: false,
      changed: false,
      conflicts: [],
      releasedHolds: [],
    })
  })

  it('is refused on request if the facility or a door was changed meanwhile', async () => {
    const office = await officeWith()
    const seen = await revisionOf(office)
    await office.run(updateDoor, { facilityCode: 'DC1', name: 'Door 1', active: false })
    const changes = [
      () => office.run(updateFacility, { id: 'DC1', name: 'Norden', ifRevision: seen }),
      () => office.run(updateFacility, { id: 'DC1', name: 'Norden', ifRevision: seen, dryRun: true }),
      () => office.run(updateDoor, { facilityCode: 'DC1', name: 'Door 2', active: false, ifRevision: seen }),
      () => office.run(removeDoor, { facilityCode: 'DC1', name: 'Door 2', ifRevision: seen }),
    ]
    const now = await revisionOf(office)
    for (const change of changes)
      await expect(change()).rejects.toMatchObject({
        code: 'stale_revision',
        details: [{ path: 'ifRevision', was: seen, now }],
      })
    expect(await facility(office)).toMatchObject({ name: 'North', doors: [{ active: false }, { active: true }] })
    const { revision } = await office.run(updateFacility, { id: 'DC1', name: 'Norden', ifRevision: now })
    expect(revision).toBe(await revisionOf(office))
    expect(revision).not.toBe(now)
    // A record that was saved before brings the former state back.
    await office.run(updateFacility, { id: 'DC1', name: 'North' })
    await office.run(updateDoor, { facilityCode: 'DC1', name: 'Door 1', active: true })
    expect(await revisionOf(office)).toBe(seen)
  })

  it.each([
    ['hours', { queues: shorter }, 'outside_hours'],
    ['a break', { breaks: [{ days: ['tue'], start: '06:30', end: '07:00' }] }, 'break'],
    ['a closure', { closures: [{ from: '2026-11-17', to: '2026-11-17' }] }, 'closure'],
    ['what a door takes', { doors: [{ name: 'Door 1', types: ['pickup'] }] }, 'door_type'],
    ['the use of a door', { doors: [{ name: 'Door 1', active: false }] }, 'door_inactive'],
    ['the doors', { doors: [{ name: 'Door 9' }] }, 'door_removed'],
    ['the zone', { timeZone: 'Europe/Berlin', queues: shorter, breaks: [] }, null],
    ['the zone and with it the hours', { timeZone: 'Pacific/Auckland', queues: shorter, breaks: [] }, 'outside_hours'],
  ])('lists the appointments that a change of %s leaves in conflict, and moves none', async (_, change, reason) => {
    const office = await officeWith()
    const { id } = await book(office)
    const before = await office.run(getAppointment, { id })
    const expected = reason === null ? [] : [{ reason, appointment: { id } }]
    const preview = await office.run(updateFacility, { id: 'DC1', dryRun: true, ...change })
    expect(preview.conflicts).toMatchObject(expected)
    expect(preview.conflicts).toHaveLength(expected.length)
    expect(await office.run(listConflicts, { id: 'DC1' })).toEqual([])

    const done = await office.run(updateFacility, { id: 'DC1', ...change })
    expect(done.conflicts).toEqual(preview.conflicts)
    const timeZone = 'timeZone' in change ? change.timeZone : before.timeZone
    expect(await office.run(getAppointment, { id })).toEqual({ ...before, timeZone })
    expect(await office.run(listConflicts, { id: 'DC1' })).toEqual(preview.conflicts)
  })

  it('lists all concurrent appointments if there are more than the capacity', async () => {
    const office = await officeWith()
    const [one, other, later] = [await book(office), await book(office), await book(office)]
    const { conflicts } = await office.run(updateFacility, { id: 'DC1', capacity: 1 })
    expect(conflicts.map(({ appointment, reason }) => [appointment.id, reason])).toEqual([
      [one.id, 'capacity'],
      [other.id, 'capacity'],
    ])
    expect(later.startTime).toBe(one.endTime)
  })

  it('does not list appointments that were already in conflict', async () => {
    const office = await officeWith()
    await book(office)
    await office.run(updateFacility, { id: 'DC1', queues: shorter })
    expect(await office.run(updateFacility, { id: 'DC1', name: 'Another' })).toMatchObject({ conflicts: [] })
    expect(await office.run(listConflicts, { id: 'DC1' })).toHaveLength(1)
  })

  it('lists no appointment that has ended, is cancelled or fits', async () => {
    const office = await officeWith()
    const past = await book(office, { targetDate: '2026-11-16', durationMinutes: 15 })
    office.at('2026-11-16T20:00:00Z')
    expect(Date.parse(past.endTime)).toBeLessThan(Date.parse('2026-11-16T20:00:00Z'))
    const { conflicts } = await office.run(updateFacility, { id: 'DC1', queues: shorter, breaks: [], closures: [] })
    expect(conflicts).toEqual([])
  })

  it('lets an appointment in conflict be rescheduled to a slot that fits', async () => {
    const office = await officeWith()
    const { id } = await book(office)
    await office.run(updateFacility, { id: 'DC1', queues: shorter })
    const moved = await office.run(rescheduleAppointment, { id, targetDate: '2026-11-17' })
    expect(moved.data.startTime).toBe('2026-11-17T14:00:00.000Z')
    expect(await office.run(listConflicts, { id: 'DC1' })).toEqual([])
  })

  it.each([
    ['a length that contradicts another', { minMinutes: 300 }, /maxMinutes/],
    ['a door that there is not', { breaks: [{ days: ['mon'], start: '06:00', end: '07:00', doors: ['X'] }] }, /door X/],
    ['an end before its start', { closures: [{ from: '2026-12-02', to: '2026-12-01' }] }, /must not be before/],
    ['two doors of one name', { doors: [{ name: 'A' }, { name: 'A' }] }, /another door has the name A/],
    ['an unknown field', { colour: 'red' }, /not a field/],
  ])('refuses %s, and changes nothing', async (_, change, message) => {
    const office = await officeWith()
    const before = await facility(office)
    expect(await office.refusal(updateFacility, { id: 'DC1', name: 'New', ...change })).toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(message),
    })
    expect(await facility(office)).toEqual(before)
  })

  it('refuses the code of another facility', async () => {
    const office = await officeWith()
    const { createFacility } = await import('../../../../src/docks/facilities/operations/create-facility')
    const { DC1 } = await import('../../dock-fixtures')
    await office.run(createFacility, { ...DC1, code: 'DC2' })
    expect(await office.refusal(updateFacility, { id: 'DC2', code: 'DC1' })).toMatchObject({ code: 'conflict' })
    await office.run(updateFacility, { id: 'DC2', code: 'DC3' })
    expect(await office.refusal(getFacility, { id: 'DC2' })).toMatchObject({ code: 'not_found' })
  })
})

describe('closing and reopening a facility', () => {
  it('closes some dates, and lists their appointments', async () => {
    const office = await officeWith()
    const { id } = await book(office)
    const closed = await office.run(closeFacility, { id: 'DC1', from: '2026-11-17', to: '2026-11-18', reason: 'Audit' })
    expect(closed.facility.closures).toEqual([{ from: '2026-11-17', to: '2026-11-18', reason: 'Audit' }])
    expect(closed.conflicts).toMatchObject([{ reason: 'closure', appointment: { id } }])
    expect((await book(office)).startTime).toBe('2026-11-19T12:00:00.000Z')
  })

  it('closes until further notice from today at the facility', async () => {
    const office = await officeWith()
    office.at('2026-11-17T03:00:00Z') // still Monday there
    const { facility: closed } = await office.run(closeFacility, { id: 'DC1' })
    expect(closed.closures).toEqual([{ from: '2026-11-16', to: '9999-12-31', reason: null }])
    expect(await office.refusal(bookAppointment, load())).toMatchObject({ code: 'no_slot' })
    expect(await office.run(closeFacility, { id: 'DC1' })).toMatchObject({ changed: false })

    const { facility: open } = await office.run(reopenFacility, { id: 'DC1' })
    expect(open.closures).toEqual([])
    expect((await book(office)).startTime).toBe('2026-11-17T12:00:00.000Z')
    expect(await office.run(reopenFacility, { id: 'DC1' })).toMatchObject({ changed: false })
  })

  it('opens dates within a closure, and no others', async () => {
    const office = await officeWith({ closures: [{ from: '2026-11-20', to: '2026-11-30', reason: 'Audit' }] })
    const { facility: open } = await office.run(reopenFacility, { id: 'DC1', from: '2026-11-24', to: '2026-11-25' })
    expect(open.closures).toEqual([
      { from: '2026-11-20', to: '2026-11-23', reason: 'Audit' },
      { from: '2026-11-26', to: '2026-11-30', reason: 'Audit' },
    ])
  })

  it('does not remove later closures when it reopens today', async () => {
    const holidays = { from: '2026-12-24', to: '2026-12-26', reason: 'Christmas' }
    const office = await officeWith({ closures: [{ from: '2026-11-10', to: '2026-11-20' }, holidays] })
    const { facility: open } = await office.run(reopenFacility, { id: 'DC1' })
    expect(open.closures).toEqual([{ from: '2026-11-10', to: '2026-11-15', reason: null }, holidays])
  })

  it('refuses more closures than the maximum', async () => {
    const dates = Array.from({ length: 1000 }, (_, i) => formatDate(parseDate('2027-01-01') + 4 * i))
    const closures = dates.map((from, i) => ({ from, to: i === 0 ? '2027-01-03' : from }))
    const office = await officeWith({ closures })
    const before = await facility(office)
    for (const [operation, from] of [
      [closeFacility, '2026-12-24'],
      [reopenFacility, '2027-01-02'],
    ] as const) {
      expect(await office.refusal(operation, { id: 'DC1', from })).toMatchObject({
        code: 'invalid',
        details: [{ path: 'closures' }],
      })
    }
    expect(await facility(office)).toEqual(before)
  })

  it.each([closeFacility, reopenFacility])('refuses an end before the start', async (operation) => {
    const office = await officeWith()
    expect(await office.refusal(operation, { id: 'DC1', from: '2026-12-02', to: '2026-12-01' })).toMatchObject({
      code: 'invalid',
      details: [{ path: 'to' }],
    })
  })
})

describe('doors', () => {
  const door = { facilityCode: 'DC1', name: 'Door 3' }

  it('are added last, or at the given position', async () => {
    const office = await officeWith()
    await office.run(addDoor, door)
    await office.run(addDoor, { facilityCode: 'DC1', name: 'Ramp', position: 1, types: ['pickup'] })
    expect(await doorNames(office)).toEqual(['1 Ramp', '2 Door 1', '3 Door 2', '4 Door 3'])
    expect((await book(office, { type: 'pickup' })).doorName).toBe('Ramp')
    expect((await book(office)).doorName).toBe('Door 1')
    expect(await office.refusal(addDoor, door)).toMatchObject({ code: 'conflict' })
  })

  it('accept no bookings while they are inactive', async () => {
    const office = await officeWith()
    const { id } = await book(office)
    const off = await office.run(updateDoor, { facilityCode: 'DC1', name: 'Door 1', active: false })
    expect(off.conflicts).toMatchObject([{ reason: 'door_inactive', appointment: { id } }])
    expect((await book(office)).doorName).toBe('Door 2')
    await office.run(updateDoor, { facilityCode: 'DC1', name: 'Door 1', active: true })
    expect(await office.run(listConflicts, { id: 'DC1' })).toEqual([])
  })

  it('keep their hours when they are renamed', async () => {
    const queues = [{ days: ['tue'], start: '06:00', end: '07:00', doors: ['Door 1'] }]
    const office = await officeWith({ queues, breaks: [] })
    const { facility: after } = await office.run(updateDoor, { facilityCode: 'DC1', name: 'Door 1', newName: 'Ramp' })
    expect(after.queues[0]!.doors).toEqual(['Ramp'])
    expect((await book(office)).doorName).toBe('Ramp')
  })

  it('list their appointments when they are removed, and have them again when they are restored', async () => {
    const office = await officeWith()
    const { id, doorId } = await book(office)
    const gone = await office.run(removeDoor, { facilityCode: 'DC1', name: 'Door 1' })
    expect(gone.conflicts).toMatchObject([{ reason: 'door_removed', appointment: { id, doorName: 'Door 1' } }])
    expect(await doorNames(office)).toEqual(['1 Door 2'])
    expect((await office.run(getAppointment, { id })).doorName).toBe('Door 1')
    const after = await book(office)
    expect(after.doorName).toBe('Door 2')
    expect(after.startTime).toBe('2026-11-17T13:00:00.000Z') // the only other door is booked at 06:00

    const back = await office.run(addDoor, { facilityCode: 'DC1', name: 'Door 1' })
    expect(back.facility.doors.find(({ name }) => name === 'Door 1')!.id).toBe(doorId)
    expect(await office.run(listConflicts, { id: 'DC1' })).toEqual([])
    expect(await book(office)).toMatchObject({ doorName: 'Door 2', startTime: '2026-11-17T12:00:00.000Z' })
  })

  it('cannot get the name of a removed door', async () => {
    const office = await officeWith()
    await office.run(removeDoor, { facilityCode: 'DC1', name: 'Door 1' })
    const rename = { facilityCode: 'DC1', name: 'Door 2', newName: 'Door 1' }
    expect(await office.refusal(updateDoor, rename)).toMatchObject({ code: 'conflict' })
  })

  it.each([
    ['the only one', { doors: [{ name: 'Door 1' }] }, /only one/],
    [
      'one that hours name',
      { breaks: [{ name: 'Lunch', days: ['mon'], start: '12:00', end: '13:00', doors: ['Door 1'] }] },
      /"Lunch"/,
    ],
  ])('cannot be removed if it is %s', async (_, changes, message) => {
    const office = await officeWith(changes)
    expect(await office.refusal(removeDoor, { facilityCode: 'DC1', name: 'Door 1' })).toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(message),
    })
  })

  it('are not found if they do not exist or no facility is given', async () => {
    const office = await officeWith()
    expect(await office.refusal(removeDoor, { facilityCode: 'DC1', name: 'X' })).toMatchObject({ code: 'not_found' })
    expect(await office.refusal(removeDoor, { name: 'X' })).toMatchObject({ code: 'invalid' })
  })
})
