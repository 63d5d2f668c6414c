import { describe, expect, it } from 'vitest'
import { createFacility } from '../../../../src/docks/facilities/operations/create-facility'
import { getFacility } from '../../../../src/docks/facilities/operations/get-facility'
import { listFacilities } from '../../../../src/docks/facilities/operations/list-facilities'
import { updateFacility } from '../../../../src/docks/facilities/operations/update-facility'
import { dockCaller } from '../../../dock-caller'
import { DC1, openDockOffice } from '../../dock-fixtures'

const typed = createFacility.cli!.toInput!

describe('creating a facility', () => {
  it('takes 0 as a flag for no limit of appointments and for no reminders, as a change does', () => {
    const none = { capacity: null, reminderHours: null }
    for (const { cli } of [createFacility, updateFacility])
      expect(cli!.toInput!({ capacity: '0', reminderHours: '0' })).toEqual(none)
  })

  it('fills in the defaults', async () => {
    const office = await openDockOffice()
    const { code, name, timeZone, queues, doors } = DC1
    const created = await office.run(createFacility, { code, name, timeZone, queues, doors })
    const plain = { features: [], maxHeight: null }
    expect(created).toEqual({
      id: expect.any(String),
      code: 'DC1',
      archivedAt: null,
      carriers: [],
      name: 'North',
      timeZone: 'America/Chicago',
      queues: [{ ...queues[0], types: null, doors: null }],
      breaks: [],
      blockedTimes: [],
      bufferMinutes: 0,
      limits: [],
      lengths: [],
      customFields: [],
      reasons: [],
      closures: [],
      minMinutes: 15,
      maxMinutes: 240,
      defaultMinutes: 60,
      slotMinutes: 15,
      leadMinutes: 0,
      capacity: null,
      advanceToNextOpenDay: true,
      graceMinutes: 30,
      reminderHours: null,
      truckFreeMinutes: 120,
      trailerFreeHours: 48,
      makeRoom: 'never',
      moveAnnounced: false,
      doors: [
        { id: expect.any(String), name: 'Door 1', position: 1, types: ['pickup', 'delivery'], active: true, ...plain },
        { id: expect.any(String), name: 'Door 2', position: 2, types: ['pickup', 'delivery'], active: true, ...plain },
      ],
    })
    expect(await office.run(getFacility, { id: 'DC1' })).toMatchObject(created)
    expect(await office.run(getFacility, { id: created.id.toUpperCase() })).toMatchObject(created)
    expect(await office.run(listFacilities, {})).toEqual([created])
  })

  it('clamps the default length to the limits', async () => {
    const office = await openDockOffice()
    expect(await office.run(createFacility, { ...DC1, maxMinutes: 45 })).toMatchObject({ defaultMinutes: 45 })
  })

  it('normalizes the time zone and midnight', async () => {
    const office = await openDockOffice()
    const queues = [{ days: ['mon'], start: '06:00', end: '24:00' }]
    const created = await office.run(createFacility, { ...DC1, timeZone: 'america/chicago', queues })
    expect(created).toMatchObject({ timeZone: 'America/Chicago', queues: [{ end: '00:00' }] })
  })

  it('is listed by its code, with its own doors', async () => {
    const office = await openDockOffice()
    const second = await office.run(createFacility, {
      ...DC1,
      code: 'DC2',
      doors: [{ name: 'Ramp' }, { name: 'Gate' }],
    })
    const first = await office.run(createFacility, DC1)
    expect(await office.run(listFacilities, {})).toEqual([first, second])
  })

  it('refuses an existing code', async () => {
    const office = await openDockOffice()
    await office.run(createFacility, DC1)
    expect((await office.refusal(createFacility, DC1)).code).toBe('conflict')
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['no time zone of the zone database', { timeZone: 'Chicago' }, 'timeZone'],
    ['an offset for a time zone', { timeZone: '+05:30' }, 'timeZone'],
    ['a code that looks like an ID', { code: '11111111-1111-1111-1111-111111111111' }, 'code'],
    ['no queue', { queues: [] }, 'queues'],
    ['no door', { doors: [] }, 'doors'],
    ['two doors of one name', { doors: [{ name: 'A' }, { name: ' A ' }] }, 'doors.1.name'],
    ['a queue for a door that is not there', { queues: [{ ...DC1.queues[0], doors: ['A'] }] }, 'queues.0.doors.0'],
    ['a break for a door that is not there', { breaks: [{ ...DC1.breaks[0], doors: ['A'] }] }, 'breaks.0.doors.0'],
    ['an hour that no clock shows', { queues: [{ ...DC1.queues[0], end: '25:00' }] }, 'queues.0.end'],
    ['an unknown day', { queues: [{ ...DC1.queues[0], days: ['someday'] }] }, 'queues.0.days.0'],
    ['a closure that ends before it begins', { closures: [{ from: '2026-12-26', to: '2026-12-24' }] }, 'closures.0.to'],
    ['limits the wrong way round', { minMinutes: 60, maxMinutes: 30 }, 'maxMinutes'],
    ['a default outside the limits', { defaultMinutes: 300 }, 'defaultMinutes'],
    ['an appointment of more than a day', { maxMinutes: 1441 }, 'maxMinutes'],
    ['no capacity at all', { capacity: 0 }, 'capacity'],
    ['an unknown field', { colour: 'red' }, 'colour'],
  ])('refuses %s', async (_, changes, path) => {
    const office = await openDockOffice()
    const refusal = await office.refusal(createFacility, { ...DC1, ...changes })
    expect(refusal.code).toBe('invalid')
    expect(refusal.details.map((detail) => detail.path)).toContain(path)
  })

  it('needs the terminal or the role manager', async () => {
    const office = await openDockOffice()
    const refusal = await office.refusal(createFacility, DC1, office.as(dockCaller({ role: 'clerk' })))
    expect(refusal.code).toBe('forbidden')
    expect(refusal.message).toBe('This call needs the role manager at the docks. This dock key has the role clerk.')
    const manager = office.as(dockCaller({ role: 'manager' }))
    expect(await office.run(createFacility, DC1, manager)).toMatchObject({ code: 'DC1' })
  })
})

describe('a facility from flags', () => {
  it('equals the same record from a file', () => {
    const input = typed({
      code: 'DC1',
      queue: ['mon-fri 06:00-18:00', 'sat,sun 22:00-2:00'],
      break: ['daily 12:00-12:30'],
      closure: ['2026-12-24..2026-12-26 Christmas', '2027-01-01'],
      door: ['Door 1', 'Door 2'],
    })
    const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri']
    expect(input).toEqual({
      code: 'DC1',
      queues: [
        { days: weekdays, start: '06:00', end: '18:00' },
        { days: ['sat', 'sun'], start: '22:00', end: '02:00' },
      ],
      breaks: [{ days: [...weekdays, 'sat', 'sun'], start: '12:00', end: '12:30' }],
      closures: [
        { from: '2026-12-24', to: '2026-12-26', reason: 'Christmas' },
        { from: '2027-01-01', to: '2027-01-01', reason: null },
      ],
      doors: [{ name: 'Door 1' }, { name: 'Door 2' }],
    })
  })

  it('has no field that was not given, so that a file can set it', () => {
    expect(typed({ name: 'South' })).toEqual({ name: 'South' })
  })

  it.each(['mon-fri', 'mon-fry 06:00-18:00', '06:00-18:00', 'mon-tue-wed 06:00-18:00', 'mon, 06:00-18:00'])(
    'refuses the hours %s and shows how they are typed',
    (text) => {
      expect(() => typed({ queue: [text] })).toThrow(
        expect.objectContaining({ code: 'invalid', hint: expect.stringContaining('mon-fri 06:00-18:00') }),
      )
    },
  )

  it('accepts days across the end of the week', () => {
    expect(typed({ queue: ['sat-mon 06:00-07:00'] })).toMatchObject({ queues: [{ days: ['mon', 'sat', 'sun'] }] })
  })
})
