import { describe, expect, it } from 'vitest'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { clearAppointments } from '../../../../src/docks/booking/operations/clear-appointments'
import { getAppointment } from '../../../../src/docks/booking/operations/get-appointment'
import { rescheduleAppointment } from '../../../../src/docks/booking/operations/reschedule-appointment'
import { showHistory } from '../../../../src/docks/booking/operations/show-history'
import { swapAppointments } from '../../../../src/docks/booking/operations/swap-appointments'
import { updateFacility } from '../../../../src/docks/facilities/operations/update-facility'
import { reportFacility } from '../../../../src/docks/reports/operations/report-facility'
import { createSeries } from '../../../../src/docks/series/operations/create-series'
import { endSeries } from '../../../../src/docks/series/operations/end-series'
import { moveSeriesDate } from '../../../../src/docks/series/operations/move-series-date'
import { skipSeriesDate } from '../../../../src/docks/series/operations/skip-series-date'
import { updateSeries } from '../../../../src/docks/series/operations/update-series'
import { checkInAppointment } from '../../../../src/docks/visits/operations/check-in-appointment'
import { recordStep } from '../../../../src/docks/visits/operations/record-step'
import { undoStep } from '../../../../src/docks/visits/operations/undo-step'
import { load, officeWith } from '../../dock-fixtures'

const REASONS = [
  { change: 'cancelled', choices: ['Weather', 'No driver'], required: true },
  { change: 'no_show', choices: ['Lost', 'Late'] },
  { change: 'turned_away', choices: ['Wrong temperature'], required: true },
]

async function office() {
  const opened = await officeWith({ reasons: REASONS })
  const book = async (more: object = {}) => (await opened.run(bookAppointment, load({ ...more }))).data.id!
  const lastReason = async (id: string) => (await opened.run(showHistory, { id })).at(-1)?.reason
  return { ...opened, book, lastReason }
}

describe('the reason of a change', () => {
  it('is one of the list, as the list writes it', async () => {
    const { book, run, refusal, lastReason } = await office()
    const id = await book()
    const refused = await refusal(cancelAppointment, { id, reason: 'Tired' })
    expect(refused.details).toEqual([{ path: 'reason', message: 'must be one of Weather, No driver' }])
    await run(cancelAppointment, { id, reason: 'no driver' })
    expect(await lastReason(id)).toBe('No driver')
  })

  it('is asked where the facility requires it, and nothing changes without it', async () => {
    const { at, book, run, refusal, lastReason } = await office()
    const [cancelled, missed] = [await book(), await book()]
    expect((await refusal(cancelAppointment, { id: cancelled })).details).toEqual([
      { path: 'reason', message: 'is required: one of Weather, No driver' },
    ])
    expect((await run(getAppointment, { id: cancelled })).status).toBe('scheduled')
    at('2026-11-17T20:00:00Z')
    await run(recordStep, { id: missed, step: 'no_show' })
    expect(await lastReason(missed)).toBeNull()
    const away = { id: cancelled, step: 'turned_away', note: 'Warm' }
    expect((await refusal(recordStep, away)).details).toMatchObject([{ path: 'reason' }])
    await run(recordStep, { ...away, note: undefined, reason: 'Wrong temperature', release: true })
    expect(await lastReason(cancelled)).toBe('Wrong temperature')
  })

  it('is any text for a change that has no list, and is not taken by a step that needs none', async () => {
    const { book, run, refusal, lastReason } = await office()
    const id = await book()
    await run(rescheduleAppointment, { id, targetDate: '2026-11-18', reason: 'The plant is late' })
    expect(await lastReason(id)).toBe('The plant is late')
    const refused = await refusal(recordStep, { id, step: 'at_door', reason: 'x' })
    expect(refused.details).toMatchObject([{ path: 'reason' }])
  })

  it('is asked for a swap, which moves both appointments', async () => {
    const { book, run, refusal, lastReason } = await office()
    await run(updateFacility, { id: 'DC1', reasons: [{ change: 'rescheduled', choices: ['Weather'], required: true }] })
    const [id, otherId] = [await book({ startTime: '09:00' }), await book({ startTime: '11:00' })]
    expect((await refusal(swapAppointments, { id, otherId })).details).toMatchObject([{ path: 'reason' }])
    expect((await run(getAppointment, { id })).startTime).toBe('2026-11-17T15:00:00.000Z')
    await run(swapAppointments, { id, otherId, reason: 'weather' })
    expect([await lastReason(id), await lastReason(otherId!)]).toEqual(['Weather', 'Weather'])
    const { reasons } = await run(reportFacility, { id: 'DC1', startDate: '2026-11-17', endDate: '2026-11-17' })
    expect(reasons).toEqual([{ change: 'rescheduled', reason: 'Weather', count: 2 }])
  })

  it('is asked when a date of a series is moved or skipped, or the series changes or ends', async () => {
    const { run, refusal, lastReason } = await office()
    const required = { choices: ['Weather'], required: true }
    const reasons = ['cancelled', 'rescheduled'].map((change) => ({ change, ...required }))
    await run(updateFacility, { id: 'DC1', reasons } as never)
    const { referenceNumber: _, targetDate: __, ...terms } = load()
    const weekly = { referencePrefix: 'S', firstDate: '2026-11-17', days: ['tue'], startTime: '09:00', aheadDays: 22 }
    const { id, occurrences } = (await run(createSeries, { ...terms, ...weekly })).data
    const [first, second, third, fourth] = occurrences.map(({ appointmentId }) => appointmentId!)
    const at = (index: number) => ({ id, date: occurrences[index]!.date })
    for (const [operation, input] of [
      [skipSeriesDate, at(0)],
      [moveSeriesDate, { ...at(1), startTime: '10:00' }],
      [endSeries, { id, lastDate: occurrences[2]!.date }],
    ] as const) {
      expect((await refusal(operation as any, input)).details).toMatchObject([{ path: 'reason' }])
      await run(operation as any, { ...input, reason: 'weather' })
    }
    expect([await lastReason(first!), await lastReason(second!), await lastReason(fourth!)]).toEqual(
      Array(3).fill('Weather'),
    )
    const later = { id, startTime: '11:00' }
    expect((await refusal(updateSeries, later)).details).toMatchObject([{ path: 'reason' }])
    expect((await run(getAppointment, { id: third! })).startTime).toBe('2026-12-01T15:00:00.000Z')
    await run(updateSeries, { ...later, reason: 'weather' })
    expect([await lastReason(third!), (await run(getAppointment, { id: third! })).startTime]).toEqual([
      'Weather',
      '2026-12-01T17:00:00.000Z',
    ])
    // A change that moves and cancels nothing needs none.
    await run(updateSeries, { id, loadDescription: 'Paper' })
    expect(await lastReason(third!)).toBeNull()
    expect((await refusal(updateSeries, { id, days: ['wed'] })).details).toMatchObject([{ path: 'reason' }])
  })

  it('is asked for a date of a series that is skipped before it is booked', async () => {
    const { run, refusal } = await office()
    const { referenceNumber: _, targetDate: __, ...terms } = load()
    const weekly = { referencePrefix: 'S', firstDate: '2026-11-17', days: ['tue'], startTime: '09:00', aheadDays: 2 }
    const { id } = (await run(createSeries, { ...terms, ...weekly })).data
    const later = { id, date: '2026-12-01' }
    expect((await refusal(skipSeriesDate, later)).details).toMatchObject([{ path: 'reason' }])
    const { data } = await run(skipSeriesDate, { ...later, reason: 'weather' })
    expect(data.occurrences.at(-1)).toMatchObject({ date: '2026-12-01', outcome: 'skipped', reason: 'Weather' })
  })

  it('is counted in the report, but not for a step that was undone', async () => {
    const { at, book, run } = await office()
    const ids = [await book(), await book(), await book(), await book()]
    for (const [index, reason] of ['Weather', 'weather', 'No driver'].entries())
      await run(cancelAppointment, { id: ids[index]!, reason })
    await run(rescheduleAppointment, { id: ids[3]!, targetDate: '2026-11-17', startTime: '10:00' })
    at('2026-11-17T20:00:00Z')
    await run(recordStep, { id: ids[3]!, step: 'no_show', reason: 'Lost' })
    await run(undoStep, { id: ids[3]! })
    await run(recordStep, { id: ids[3]!, step: 'no_show', reason: 'Late' })
    const { reasons } = await run(reportFacility, { id: 'DC1', startDate: '2026-11-17', endDate: '2026-11-17' })
    expect(reasons).toEqual([
      { change: 'cancelled', reason: 'Weather', count: 2 },
      { change: 'cancelled', reason: 'No driver', count: 1 },
      { change: 'rescheduled', reason: null, count: 1 },
      { change: 'no_show', reason: 'Late', count: 1 },
    ])
  })

  it('is not counted for a no-show that was undone after a check-in, or its correction, was', async () => {
    const { at, book, run } = await office()
    const id = await book()
    at('2026-11-17T20:00:00Z')
    await run(recordStep, { id, step: 'no_show', reason: 'Lost' })
    await run(checkInAppointment, { id })
    await run(checkInAppointment, { id, licensePlate: 'ILX 4114' })
    await run(undoStep, { id })
    await run(undoStep, { id })
    const { reasons } = await run(reportFacility, { id: 'DC1', startDate: '2026-11-17', endDate: '2026-11-17' })
    expect(reasons).toEqual([])
  })

  it('of a step that is recorded again is refused, not dropped', async () => {
    const { at, book, run, refusal, lastReason } = await office()
    const id = await book()
    at('2026-11-17T20:00:00Z')
    await run(recordStep, { id, step: 'no_show', reason: 'Lost' })
    expect(await refusal(recordStep, { id, step: 'no_show', reason: 'Late' })).toMatchObject({ code: 'invalid_state' })
    await run(recordStep, { id, step: 'no_show', reason: 'lost' })
    expect(await lastReason(id)).toBe('Lost')
  })

  it('is one of the list for appointments that are cleared too, also in the preview', async () => {
    const { book, run, refusal, lastReason } = await office()
    const id = await book()
    const cancelAll = { facilityCode: 'DC1', date: '2026-11-17', policy: 'cancel' }
    for (const dryRun of [true, false])
      expect((await refusal(clearAppointments, { ...cancelAll, dryRun })).details).toMatchObject([{ path: 'reason' }])
    await run(clearAppointments, { ...cancelAll, reason: 'weather' })
    expect(await lastReason(id)).toBe('Weather')
    const { reasons } = await run(reportFacility, { id: 'DC1', startDate: '2026-11-17', endDate: '2026-11-17' })
    expect(reasons).toEqual([{ change: 'cancelled', reason: 'Weather', count: 1 }])
  })

  it('of a no-show stays when its slot is released later, and counts once', async () => {
    const { at, book, run, lastReason } = await office()
    const id = await book()
    at('2026-11-17T20:00:00Z')
    await run(recordStep, { id, step: 'no_show', reason: 'Lost' })
    await run(recordStep, { id, step: 'no_show', release: true })
    expect(await lastReason(id)).toBe('Lost')
    const { reasons } = await run(reportFacility, { id: 'DC1', startDate: '2026-11-17', endDate: '2026-11-17' })
    expect(reasons).toEqual([{ change: 'no_show', reason: 'Lost', count: 1 }])
  })

  it('has one list for each change', async () => {
    const { refusal } = await office()
    const refused = await refusal(updateFacility, { id: 'DC1', reasons: [REASONS[0], REASONS[0]] })
    expect(refused.details).toEqual([{ path: 'reasons.1.change', message: 'there is another list for cancelled' }])
  })
})

describe('the reason of a changed series', () => {
  it('is required if the new load needs another door', async () => {
    const reasons = [{ change: 'rescheduled', choices: ['Load changed'], required: true }]
    const doors = [{ name: 'Door 1' }, { name: 'Door 2', features: ['reefer'] }]
    const { run, refusal } = await officeWith({ reasons, doors })
    const terms = { facilityCode: 'DC1', type: 'delivery', carrierName: 'Acme', referencePrefix: 'S', days: ['tue'] }
    const { data } = await run(createSeries, {
      ...terms,
      startTime: '09:00',
      firstDate: '2026-11-17',
      aheadDays: 6,
      durationMinutes: 60,
    })
    const { id, occurrences } = data
    const change = { id, requirements: ['reefer'] }
    expect((await refusal(updateSeries, change)).details).toEqual([
      { path: 'reason', message: 'is required: one of Load changed' },
    ])
    expect(await run(getAppointment, { id: occurrences[0]!.appointmentId! })).toMatchObject({ doorName: 'Door 1' })
    await run(updateSeries, { ...change, reason: 'Load changed' })
    expect((await run(showHistory, { id: occurrences[0]!.appointmentId! })).at(-1)).toMatchObject({
      kind: 'rescheduled',
      reason: 'Load changed',
    })
  })
})
