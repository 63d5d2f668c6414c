import { describe, expect, it } from 'vitest'
import { renderDockReport } from '../../../../commands/views/docks/dock-report'
import { renderDockReportCsv, renderDockReportPage } from '../../../../commands/views/docks/dock-report-files'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { reportFacility } from '../../../../src/docks/reports/operations/report-facility'
import { checkInAppointment } from '../../../../src/docks/visits/operations/check-in-appointment'
import { recordStep } from '../../../../src/docks/visits/operations/record-step'
import { type DockOffice, load, officeWith } from '../../dock-fixtures'

const plain = (text: string) => text
const canvas = {
  colors: { strong: plain, faint: plain, good: plain, warn: plain, bad: plain, accent: plain, hit: plain },
  width: 80,
}

/** Tuesday: one truck came 40 minutes late and left after 50, one did not come, one cancelled. */
async function aDay(): Promise<DockOffice> {
  const office = await officeWith()
  const book = async (changes: Record<string, unknown>) => (await office.run(bookAppointment, load(changes))).data.id
  const late = await book({ startTime: '2026-11-17T09:00', palletCount: 10 })
  const missing = await book({ startTime: '2026-11-17T10:00', carrierName: '=Red <b>' })
  await office.run(cancelAppointment, { id: await book({ startTime: '2026-11-17T13:00' }) })
  office.at('2026-11-17T15:40:00Z')
  await office.run(checkInAppointment, { id: late })
  office.at('2026-11-17T16:00:00Z')
  await office.run(recordStep, { id: late, step: 'at_door' })
  office.at('2026-11-17T16:30:00Z')
  await office.run(recordStep, { id: late, step: 'departed' })
  office.at('2026-11-17T17:00:00Z')
  await office.run(recordStep, { id: missing, step: 'no_show' })
  return office
}

describe('the report of a facility', () => {
  it('sums up what happened on its dates', async () => {
    const office = await aDay()
    const report = await office.run(reportFacility, { id: 'DC1', startDate: '2026-11-17', endDate: '2026-11-17' })
    expect(report.totals).toEqual({
      appointments: 2,
      completed: 1,
      cancelled: 1,
      noShows: 1,
      turnedAway: 0,
      pallets: 10,
      openMinutes: 2 * 11.5 * 60,
      bookedMinutes: 120,
      utilization: 120 / (2 * 11.5 * 60),
    })
    expect(report).toMatchObject({
      arrivals: { early: 0, onTime: 0, late: 1, onTimeShare: 0, minutesAfterStart: { median: 40 } },
      waitMinutes: { median: 20 },
      turnMinutes: { median: 30 },
      dwellMinutes: { count: 1, median: 50 },
      leadHours: { count: 2, median: 25, max: 26 },
      carriers: [
        { name: '=Red <b>', noShows: 1, noShowShare: 1 },
        { name: 'Blue Freight', appointments: 1, cancelled: 1, late: 1 },
      ],
    })
    const [door] = report.doors
    expect(door!.hours.find(({ hour }) => hour === 9)).toEqual({
      hour: 9,
      openMinutes: 60,
      bookedMinutes: 60,
      utilization: 1,
    })
    expect(door!.hours.find(({ hour }) => hour === 12)!.openMinutes).toBe(30)
    const other = await office.run(reportFacility, { id: 'DC1', startDate: '2026-11-18', endDate: '2026-11-18' })
    expect(other.totals.appointments).toBe(0)
  })

  it('counts an appointment that was cancelled after the check-in as cancelled, in every figure', async () => {
    const office = await aDay()
    const dates = { id: 'DC1', startDate: '2026-11-17', endDate: '2026-11-17' }
    const before = await office.run(reportFacility, dates)
    const { id } = (await office.run(bookAppointment, load({ startTime: '2026-11-17T15:00', palletCount: 5 }))).data
    office.at('2026-11-17T21:30:00Z')
    await office.run(checkInAppointment, { id })
    await office.run(cancelAppointment, { id })
    const { totals, days, doors, carriers, reasons, generatedAt: _, ...rest } = await office.run(reportFacility, dates)
    const { totals: _1, days: _2, doors: _3, carriers: _4, reasons: _5, generatedAt: _6, ...same } = before
    expect(totals).toEqual({ ...before.totals, cancelled: 2 })
    expect(days).toEqual([{ ...before.days[0], cancelled: 2 }])
    expect(doors.map(({ hours }) => hours)).toEqual(before.doors.map(({ hours }) => hours))
    const counted = carriers.find(({ name }) => name === 'Blue Freight')
    expect(counted).toEqual({ ...before.carriers.find(({ name }) => name === 'Blue Freight'), cancelled: 2 })
    expect(rest).toEqual(same)
    expect(reasons[0]).toEqual({ change: 'cancelled', reason: null, count: 2 })
  })

  it('counts requests that got no slot, with the reason, on the date of the request', async () => {
    const office = await officeWith()
    for (const start of ['06:00', '19:00', '19:30'])
      await office.run(bookAppointment, load({ startTime: `2026-11-17T${start}` })).catch(() => {})
    await office.refusal(bookAppointment, load({ targetDate: '2026-11-15' }))
    const { refused } = await office.run(reportFacility, { id: 'DC1', startDate: '2026-11-16' })
    expect(refused).toEqual([
      { type: 'delivery', reason: 'outside_hours', message: 'outside of the operating hours', count: 2 },
    ])
  })

  it('fits a window of 80 columns, and takes texts of others as texts', async () => {
    const office = await aDay()
    const report = await office.run(reportFacility, { id: 'DC1', startDate: '2026-11-17', endDate: '2026-11-17' })
    for (const line of renderDockReport(report, canvas).split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    const page = renderDockReportPage(report)
    expect(page).toContain('=Red &#60;b&#62;')
    expect(page).not.toContain('<b>')
    expect(renderDockReportCsv(report)).toContain("carriers,'=Red <b>,")
  })
})
