import { describe, expect, it } from 'vitest'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { listAppointments } from '../../../../src/docks/booking/operations/list-appointments'
import { closeFacility } from '../../../../src/docks/facilities/operations/close-facility'
import { listConflicts } from '../../../../src/docks/facilities/operations/list-conflicts'
import { reopenFacility } from '../../../../src/docks/facilities/operations/reopen-facility'
import { createSeries } from '../../../../src/docks/series/operations/create-series'
import { endSeries } from '../../../../src/docks/series/operations/end-series'
import { getSeries } from '../../../../src/docks/series/operations/get-series'
import { listSeries } from '../../../../src/docks/series/operations/list-series'
import { materializeSeries } from '../../../../src/docks/series/operations/materialize-series'
import { moveSeriesDate } from '../../../../src/docks/series/operations/move-series-date'
import { skipSeriesDate } from '../../../../src/docks/series/operations/skip-series-date'
import { updateSeries } from '../../../../src/docks/series/operations/update-series'
import { dockCaller } from '../../../dock-caller'
import { type DockOffice, load, officeWith } from '../../dock-fixtures'

const TUESDAYS = {
  facilityCode: 'DC1',
  type: 'delivery',
  carrierName: 'Blue Freight',
  lane: 'Dallas-Memphis',
  referencePrefix: 'BLUE',
  days: ['tue'],
  startTime: '09:00',
  durationMinutes: 60,
  firstDate: '2026-11-17',
  aheadDays: 22,
}
const DATES = ['2026-11-17', '2026-11-24', '2026-12-01', '2026-12-08'] as const
const ONE_DOOR = { doors: [{ name: 'Door 1' }] }

const create = async (office: DockOffice, changes: Record<string, unknown> = {}) =>
  (await office.run(createSeries, { ...TUESDAYS, ...changes })).data
const datesOf = async (office: DockOffice, id: string) =>
  (await office.run(getSeries, { id })).occurrences.map(({ date, outcome, status }) => [date, outcome, status])
const listScheduled = async (office: DockOffice) =>
  office.run(listAppointments, {
    facilityCode: 'DC1',
    startDate: '2026-11-16',
    endDate: '2027-04-01',
    status: 'scheduled',
  })
const takeNine = (office: DockOffice, date: string) =>
  office.run(bookAppointment, load({ startTime: `${date}T09:00`, targetDate: null }))

describe('a series', () => {
  it('leaves an appointment at its door if only the load changes, although the first door is free again', async () => {
    const office = await officeWith()
    const other = await takeNine(office, DATES[0])
    const { id } = await create(office, { aheadDays: 6 })
    await office.run(cancelAppointment, { id: other.data.id })
    await office.run(updateSeries, { id, palletCount: 7 })
    expect(await listScheduled(office)).toMatchObject([{ doorName: 'Door 2', palletCount: 7 }])
  })

  it('books its dates as appointments, at the same local time when the clock changes', async () => {
    const office = await officeWith()
    office.at('2026-10-20T14:00:00Z')
    const { occurrences } = await create(office, { firstDate: '2026-10-20', everyWeeks: 2, startTime: '10:00' })
    expect(occurrences.map(({ date, startTime }) => [date, startTime])).toEqual([
      ['2026-10-20', '2026-10-20T15:00:00.000Z'],
      ['2026-11-03', '2026-11-03T16:00:00.000Z'],
    ])
    const [first] = await office.run(listAppointments, { facilityCode: 'DC1', startDate: '2026-10-20' })
    expect(first).toMatchObject({
      referenceNumber: 'BLUE-2026-10-20',
      carrierName: 'Blue Freight',
      durationMinutes: 60,
    })
  })

  it('books each date once, the later ones when they are due, and none that was cancelled', async () => {
    const office = await officeWith()
    const { id, occurrences } = await create(office)
    expect(occurrences.map(({ date }) => date)).toEqual(DATES)
    await office.run(cancelAppointment, { id: occurrences[1]!.appointmentId })
    expect(await office.run(materializeSeries, {})).toMatchObject({ booked: 0, refused: 0, results: [] })
    office.at('2026-11-24T14:00:00Z')
    expect((await office.run(materializeSeries, {})).results.map(({ date }) => date)).toEqual(['2026-12-15'])
    expect(await datesOf(office, id)).toEqual([
      ['2026-11-24', 'booked', 'cancelled'],
      ...['2026-12-01', '2026-12-08', '2026-12-15'].map((date) => [date, 'booked', 'scheduled']),
    ])
  })

  it('reports a date without a place until it is placed, and tries it again', async () => {
    const office = await officeWith(ONE_DOOR)
    const taken = []
    for (const date of DATES.slice(0, 2)) taken.push((await takeNine(office, date)).data)
    const { id, occurrences } = await create(office)
    expect(occurrences.map(({ outcome }) => outcome)).toEqual(['refused', 'refused', 'booked', 'booked'])
    expect(occurrences[0]!.reason).toContain('Door 1: another appointment is there')
    expect(await office.run(listSeries, { facilityCode: 'DC1' })).toMatchObject([{ id, refused: 2 }])
    expect(await office.run(listConflicts, { id: 'DC1' })).toMatchObject(
      DATES.slice(0, 2).map((date) => ({ reason: 'series_not_placed', appointment: null, occurrence: { date } })),
    )
    await office.run(moveSeriesDate, { id, date: DATES[0], startTime: '14:00' })
    await office.run(cancelAppointment, { id: taken[1]!.id })
    expect(await office.run(materializeSeries, { facilityCode: 'DC1' })).toMatchObject({ booked: 1, refused: 0 })
    expect(await office.run(listConflicts, { id: 'DC1' })).toEqual([])
    const mine = (await listScheduled(office)).filter(({ referenceNumber }) => referenceNumber.startsWith('BLUE'))
    expect(mine.map(({ startTime }) => startTime)).toEqual([
      '2026-11-17T20:00:00.000Z',
      ...DATES.slice(1).map((date) => `${date}T15:00:00.000Z`),
    ])
  })

  it('leaves out a closed date until it is open again, or takes the next open day', async () => {
    const office = await officeWith()
    const close = { id: 'DC1', from: '2026-11-24', to: '2026-11-25', reason: 'Thanksgiving' }
    await office.run(closeFacility, close)
    const skipping = await create(office)
    expect(skipping.occurrences[1]).toMatchObject({ outcome: 'closed', reason: 'closed for Thanksgiving' })
    const moving = await create(office, { referencePrefix: 'GREEN', holidayPolicy: 'next-open-day' })
    expect(moving.occurrences[1]).toMatchObject({ outcome: 'booked', startTime: '2026-11-26T15:00:00.000Z' })
    await office.run(reopenFacility, { id: 'DC1', from: '2026-11-24', to: '2026-11-25' })
    expect(await office.run(materializeSeries, {})).toMatchObject({ booked: 1, results: [{ seriesId: skipping.id }] })
  })

  it('leaves out a date on request, and places it again on request', async () => {
    const office = await officeWith()
    const { id } = await create(office)
    await office.run(skipSeriesDate, { id, date: DATES[1], reason: 'Inventory' })
    await office.run(materializeSeries, {})
    expect((await datesOf(office, id))[1]).toEqual([DATES[1], 'skipped', 'cancelled'])
    await office.run(moveSeriesDate, { id, date: DATES[1] })
    expect((await datesOf(office, id))[1]).toEqual([DATES[1], 'booked', 'scheduled'])
    expect((await office.refusal(skipSeriesDate, { id, date: '2026-11-25' })).code).toBe('not_found')
  })

  it('changes its booked dates with it, except one that was moved on its own and one without a place', async () => {
    const office = await officeWith(ONE_DOOR)
    const { id } = await create(office)
    await office.run(moveSeriesDate, { id, date: DATES[0], startTime: '15:00' })
    await office.run(bookAppointment, load({ startTime: '2026-11-24T10:00', targetDate: null }))
    const { data } = await office.run(updateSeries, { id, startTime: '10:00', palletCount: 7 })
    expect(data.occurrences.map(({ outcome, startTime }) => [outcome, startTime?.slice(5, 16)])).toEqual([
      ['booked', '11-17T21:00'],
      ['refused', '11-24T15:00'],
      ['booked', '12-01T16:00'],
      ['booked', '12-08T16:00'],
    ])
    const wednesdays = await office.run(updateSeries, { id, days: ['wed'] })
    expect(wednesdays.data.occurrences.map(({ date }) => date)).toEqual(['2026-11-18', '2026-11-25', '2026-12-02'])
    expect((await listScheduled(office)).filter(({ palletCount }) => palletCount === 7)).toHaveLength(3)
  })

  it('loses the values that a command line empties', async () => {
    const office = await officeWith()
    const given = { palletCount: 7, loadDescription: 'Tires', lastDate: '2027-02-02', requirements: ['reefer'] }
    const { id } = await create(office, given)
    const emptied = { lane: '', lastDate: '', palletCount: '', loadDescription: '' }
    const { data } = await office.run(updateSeries, { id, ...updateSeries.cli!.toInput!(emptied) })
    expect(data).toMatchObject({
      carrierName: 'Blue Freight',
      lane: null,
      lastDate: null,
      palletCount: null,
      loadDescription: null,
    })
  })

  it('ends, and cancels the dates after its end', async () => {
    const office = await officeWith()
    const { id } = await create(office)
    await office.run(endSeries, { id, lastDate: DATES[1] })
    office.at('2026-11-18T14:00:00Z')
    await office.run(materializeSeries, {})
    expect(await datesOf(office, id)).toEqual([[DATES[1], 'booked', 'scheduled']])
    expect(await listScheduled(office)).toHaveLength(2)
  })

  it('belongs to its tenant', async () => {
    const office = await officeWith()
    const { id } = await create(office)
    const other = office.as(dockCaller({ tenantId: '11111111-0000-4000-8000-000000000000' }))
    for (const operation of [getSeries, endSeries])
      expect((await office.refusal(operation, { id }, other)).code).toBe('not_found')
    office.at('2026-12-20T14:00:00Z')
    expect(await office.run(materializeSeries, {}, other)).toMatchObject({ booked: 0 })
  })
})
