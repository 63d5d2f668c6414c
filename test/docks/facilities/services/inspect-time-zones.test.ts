import { describe, expect, it } from 'vitest'
import { createFacility } from '../../../../src/docks/facilities/operations/create-facility'
import { inspectTimeZones, readTimeZoneData } from '../../../../src/docks/facilities/services/inspect-time-zones'
import { docksTables } from '../../../../src/docks/queries/docks-tables'
import { openDockOffice } from '../../dock-fixtures'

const NOW = Date.parse('2026-11-22T00:00:00Z')

describe('the time zone check', () => {
  it('checks whether this Node has all time zones', () => {
    expect(readTimeZoneData()).toMatchObject({ isFull: true })
  })

  it.each([
    [{ version: '2026a', isFull: true }, 'ok'],
    [{ version: '2025c', isFull: true }, 'ok'],
    [{ version: '2023c', isFull: true }, 'warning'],
    [{ version: null, isFull: true }, 'ok'],
    [{ version: '2026a', isFull: false }, 'warning'],
  ])('reports %j as %s', async (data, level) => {
    expect(await inspectTimeZones(data, null, NOW)).toMatchObject([{ level }])
  })

  it('checks whether the zones of the facilities are known', async () => {
    const office = await openDockOffice()
    const queues = [{ name: 'Day', days: ['mon'], start: '06:00', end: '18:00' }]
    const facility = (code: string, timeZone: string) =>
      office.run(createFacility, { code, name: code, timeZone, queues, doors: [{ name: 'Door 1' }] })
    await facility('DC1', 'America/Chicago')
    await facility('DC2', 'Europe/Berlin')
    const data = { version: '2026a', isFull: true }
    const [, known] = await inspectTimeZones(data, office.db, NOW)
    expect(known).toMatchObject({ level: 'ok', message: expect.stringContaining('America/Chicago, Europe/Berlin') })
    await office.db.write((tx) =>
      docksTables(tx).updateTable('facility').set({ time_zone: 'Mars/Olympus' }).where('code', '=', 'DC2').execute(),
    )
    expect((await inspectTimeZones(data, office.db, NOW)).slice(1)).toMatchObject([
      { level: 'problem', message: expect.stringMatching(/Mars\/Olympus, the zone of DC2/) },
    ])
  })
})
