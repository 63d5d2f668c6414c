import { describe, expect, it } from 'vitest'
import { bookAppointment } from '../../../src/docks/booking/operations/book-appointment'
import { getAppointment } from '../../../src/docks/booking/operations/get-appointment'
import { reportFacility } from '../../../src/docks/reports/operations/report-facility'
import { checkInAppointment } from '../../../src/docks/visits/operations/check-in-appointment'
import { recordStep } from '../../../src/docks/visits/operations/record-step'
import { undoStep } from '../../../src/docks/visits/operations/undo-step'
import { importTrailers } from '../../../src/docks/yard/operations/import-trailers'
import { leaveYard } from '../../../src/docks/yard/operations/leave'
import { moveTrailer } from '../../../src/docks/yard/operations/move'
import { undoTrailerChange } from '../../../src/docks/yard/operations/undo'
import { updateTrailer } from '../../../src/docks/yard/operations/update-trailer'
import { load } from '../dock-fixtures'
import { at, yard } from './yard-fixtures'

describe('the appointment of a trailer', () => {
  it('gets no step from a row of a file that is refused', async () => {
    const { office, board, truck } = await yard()
    const text = 'number,reference,door\nTR-1,PO-1,Door 2'
    const { rows } = await office.run(importTrailers, { ...at, text })
    expect(rows).toMatchObject([{ outcome: 'refused', message: 'The appointment of PO-1 is at Door 1.' }])
    expect([await board(), await truck()]).toEqual([[], null])
  })

  it('keeps its trailer at its door, or away from doors, until its load is handled', async () => {
    const { office, arrive, board, appointmentId } = await yard()
    await arrive({ number: 'TR-1', appointment: 'PO-1', doorName: 'Door 1' })
    const { code, hint } = await office.refusal(moveTrailer, { id: 'TR-1', doorName: 'Door 2' })
    expect(code).toBe('conflict')
    expect(JSON.stringify(hint)).toContain('appointments.undo-step')
    await office.run(moveTrailer, { id: 'TR-1', spotName: 'Y1' })
    expect((await office.refusal(moveTrailer, { id: 'TR-1', doorName: 'Door 2' })).code).toBe('conflict')
    await office.run(recordStep, { id: appointmentId, step: 'completed' })
    await office.run(moveTrailer, { id: 'TR-1', doorName: 'Door 2' })
    expect(await board()).toEqual(['TR-1 Door 2'])
  })

  it('departs with the last one of its trailers', async () => {
    const { office, arrive, truck } = await yard()
    await arrive({ number: 'TR-1', appointment: 'PO-1', doorName: 'Door 1' })
    await arrive({ number: 'TR-2', appointment: 'PO-1', spotName: 'Y1' })
    await office.run(leaveYard, { id: 'TR-1' })
    expect(await truck()).toBe('at_door')
    expect((await office.run(leaveYard, { id: 'TR-2' })).message).toContain('The appointment of PO-1 is departed.')
  })

  it('has no wait and no stay of its truck, even after the trailer got another appointment', async () => {
    const { office, clock, arrive, appointmentId } = await yard()
    const { data } = await arrive({ number: 'TR-1', appointment: 'PO-1' })
    clock('17T20:00')
    await office.run(moveTrailer, { id: 'TR-1', doorName: 'Door 1' })
    await office.run(recordStep, { id: appointmentId, step: 'departed' })
    await office.run(bookAppointment, load({ referenceNumber: 'PO-2', targetDate: '2026-11-18' }))
    await office.run(updateTrailer, { id: data.id, loaded: false, appointment: 'PO-2' })
    const dates = { startDate: '2026-11-17', endDate: '2026-11-17' }
    const figures = async () => {
      const { visit } = await office.run(getAppointment, { id: appointmentId })
      const { waitMinutes, detention } = await office.run(reportFacility, { id: 'DC1', ...dates })
      return [visit.detentionMinutes, visit.waitMinutes, waitMinutes.count, detention.detained]
    }
    expect(await figures()).toEqual([null, null, 0, 0])
    // A trailer that was never there counts for nothing.
    for (let step = 0; step < 3; step++) await office.run(undoTrailerChange, { id: data.id })
    expect(await figures()).toEqual([300, 480, 1, 1])
    await office.run(undoStep, { id: appointmentId })
    expect(await figures()).toEqual([null, 480, 1, 0])
  })

  it('that was given by mistake is as if it had never been, when that is undone', async () => {
    const { office, arrive, appointmentId } = await yard()
    await arrive({ number: 'TR-1' })
    await office.run(updateTrailer, { id: 'TR-1', appointment: 'PO-1' })
    await office.run(undoTrailerChange, { id: 'TR-1' })
    await office.run(checkInAppointment, { id: appointmentId })
    await office.run(recordStep, { id: appointmentId, step: 'at_door' })
    expect((await office.run(getAppointment, { id: appointmentId })).visit.waitMinutes).toBe(0)
  })
})
