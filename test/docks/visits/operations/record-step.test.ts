import { describe, expect, it } from 'vitest'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { getAppointment } from '../../../../src/docks/booking/operations/get-appointment'
import { listAppointments } from '../../../../src/docks/booking/operations/list-appointments'
import { rescheduleAppointment } from '../../../../src/docks/booking/operations/reschedule-appointment'
import { showHistory } from '../../../../src/docks/booking/operations/show-history'
import { checkInAppointment } from '../../../../src/docks/visits/operations/check-in-appointment'
import { completeAppointment } from '../../../../src/docks/visits/operations/complete-appointment'
import { recordStep } from '../../../../src/docks/visits/operations/record-step'
import { reopenAppointment } from '../../../../src/docks/visits/operations/reopen-appointment'
import { undoStep } from '../../../../src/docks/visits/operations/undo-step'
import { load, officeWith } from '../../dock-fixtures'

/** An appointment on Tuesday from 06:00 to 07:00 in Chicago, which is 12:00 to 13:00 in UTC. */
async function tuesday(facility: Record<string, unknown> = {}) {
  const office = await officeWith(facility)
  const { data } = await office.run(bookAppointment, load({ referenceNumber: 'PO-1' }))
  const at = (time: string) => office.at(`2026-11-17T${time}:00Z`)
  at('12:00')
  const step = (name: string, more = {}) => office.run(recordStep, { id: data.id, step: name, ...more })
  const state = async () => {
    const { status, step: last } = await office.run(getAppointment, { id: data.id })
    return [status, last]
  }
  return { office, id: data.id, at, step, state }
}

describe('a truck on its day', () => {
  it('is checked in, unloaded and gone, with who, when, and for how long', async () => {
    const { office, id, at, step } = await tuesday()
    at('12:40')
    const truck = { driverName: 'Ana Ruiz', licensePlate: 'ILX 4411', sealNumber: 'S-204' }
    const answer = await office.run(checkInAppointment, { id, ...truck, note: 'Gate 2' })
    expect(answer.message).toBe('Recorded for PO-1 at DC1: checked in, 2026-11-17 06:40 (America/Chicago).')
    expect(answer.data).toMatchObject({ status: 'scheduled', step: 'checked_in' })
    at('12:50')
    await step('at_door')
    await step('loading')
    at('13:30')
    await step('completed')
    at('13:45')
    await step('departed')
    expect(await office.run(getAppointment, { id })).toMatchObject({
      status: 'completed',
      step: 'departed',
      visit: { ...truck, arrival: 'late', minutesAfterStart: 40, waitMinutes: 10, turnMinutes: 40, dwellMinutes: 65 },
    })
    expect((await office.run(showHistory, { id }))[1]).toMatchObject({
      kind: 'checked_in',
      by: 'terminal',
      note: 'Gate 2',
      ...truck,
    })
  })

  it('may have come earlier than it was recorded, but not before its last step or in the future', async () => {
    const { office, id, at, step } = await tuesday()
    at('13:00')
    await office.run(checkInAppointment, { id, at: '05:50' })
    const { visit } = await office.run(getAppointment, { id })
    expect(visit).toMatchObject({ minutesAfterStart: -10, steps: [{ at: '2026-11-17T11:50:00.000Z' }] })
    for (const wrong of ['05:49', '07:01', '2026-11-17T13:00:01Z']) {
      expect(await office.refusal(recordStep, { id, step: 'at_door', at: wrong })).toMatchObject({
        code: 'invalid',
        details: [{ path: 'at' }],
      })
    }
    await step('at_door', { at: '2026-11-17T12:30:00Z' })
  })

  it('makes no step twice, and none that does not follow', async () => {
    const { office, id, step, state } = await tuesday()
    await step('loading')
    expect((await step('loading')).message).toBe(
      'Nothing was changed: the last step of PO-1 at DC1 is loading already.',
    )
    expect(await office.refusal(checkInAppointment, { id })).toMatchObject({
      code: 'invalid_state',
      message: 'The step checked_in is not possible after loading.',
    })
    expect(await office.run(showHistory, { id })).toHaveLength(2)
    expect(await state()).toEqual(['scheduled', 'loading'])
  })

  it('is shown in the list, beside the documented status', async () => {
    const { office, step } = await tuesday()
    await step('at_door')
    const [listed] = await office.run(listAppointments, { facilityCode: 'DC1' })
    expect(listed).toMatchObject({ status: 'scheduled', step: 'at_door' })
  })
})

describe('a truck that does not come', () => {
  it('is a no-show when its grace period is over, and not before', async () => {
    const { office, id, at, step, state } = await tuesday({ graceMinutes: 20 })
    at('12:19')
    expect(await office.refusal(recordStep, { id, step: 'no_show' })).toMatchObject({
      code: 'invalid_state',
      message: 'The grace period of the appointment ends at 2026-11-17 06:20 (America/Chicago).',
    })
    at('12:20')
    await step('no_show')
    expect(await state()).toEqual(['scheduled', 'no_show'])
  })

  it('keeps its slot until it is released, which undo reverts while the slot is free', async () => {
    const { office, id, at, step, state } = await tuesday({ capacity: 1 })
    at('12:30')
    await step('no_show')
    await step('no_show', { release: true })
    expect(await state()).toEqual(['cancelled', 'no_show'])
    await office.run(undoStep, { id })
    expect(await state()).toEqual(['scheduled', 'no_show'])
  })

  it('cannot be expected again after its slot or its reference was booked again', async () => {
    const { office, id, step } = await tuesday()
    await step('turned_away', { note: 'Wrong temperature', release: true })
    const other = await office.run(
      bookAppointment,
      load({ startTime: '2026-11-17T06:30', targetDate: undefined, doorId: 'Door 1', durationMinutes: 30 }),
    )
    expect((await office.refusal(undoStep, { id })).code).toBe('conflict')
    await office.run(cancelAppointment, { id: other.data.id })
    await office.run(bookAppointment, load({ referenceNumber: 'PO-1', targetDate: '2026-11-18' }))
    expect((await office.refusal(undoStep, { id })).code).toBe('duplicate_reference')
  })

  it('cannot be expected again if the facility is full at that time', async () => {
    const { office, id, step } = await tuesday({ capacity: 1 })
    await step('turned_away', { note: 'No seal', release: true })
    const place = { startTime: '2026-11-17T06:30', targetDate: undefined, doorId: 'Door 2', durationMinutes: 30 }
    await office.run(bookAppointment, load(place))
    expect(await office.refusal(undoStep, { id })).toMatchObject({
      code: 'conflict',
      message: 'The facility is full at that time.',
    })
  })

  it('is expected again when it is rescheduled', async () => {
    const { office, id, at, step, state } = await tuesday()
    at('13:00')
    await step('no_show')
    await office.run(rescheduleAppointment, { id, targetDate: '2026-11-18' })
    expect(await state()).toEqual(['scheduled', null])
    expect((await office.run(getAppointment, { id })).visit.steps).toEqual([])
  })

  it('may still come', async () => {
    const { office, id, at, step, state } = await tuesday()
    at('13:00')
    await step('no_show')
    await office.run(checkInAppointment, { id })
    expect(await state()).toEqual(['scheduled', 'checked_in'])
  })

  it('is turned away for a reason only, and only an absent truck releases a slot', async () => {
    const { office, id } = await tuesday()
    expect(await office.refusal(recordStep, { id, step: 'turned_away' })).toMatchObject({ details: [{ path: 'note' }] })
    expect(await office.refusal(recordStep, { id, step: 'loading', release: true })).toMatchObject({
      details: [{ path: 'release' }],
    })
  })
})

describe('completing, reopening and cancelling an appointment with steps', () => {
  it('goes back to the step before the completion', async () => {
    const { office, id, step, state } = await tuesday()
    await step('loading')
    await office.run(completeAppointment, { id })
    await step('departed')
    await office.run(reopenAppointment, { id })
    expect(await state()).toEqual(['scheduled', 'loading'])
    await office.run(undoStep, { id })
    expect(await state()).toEqual(['scheduled', null])
    expect((await office.refusal(undoStep, { id })).message).toBe(
      'No step of the appointment can be undone: it has none.',
    )
  })

  it('is refused for a truck that did not come, or is at the door', async () => {
    const { office, id, at, step } = await tuesday()
    at('13:00')
    await step('no_show')
    expect((await office.refusal(completeAppointment, { id })).code).toBe('invalid_state')
    await office.run(undoStep, { id })
    await step('at_door')
    expect((await office.refusal(cancelAppointment, { id })).message).toBe(
      'The truck is at Door 1, so the appointment cannot be cancelled.',
    )
  })

  it('cannot undo a step of an appointment that was cancelled after it', async () => {
    const { office, id, state } = await tuesday()
    await office.run(checkInAppointment, { id })
    await office.run(cancelAppointment, { id })
    expect((await office.refusal(undoStep, { id })).code).toBe('invalid_state')
    expect((await office.refusal(recordStep, { id, step: 'at_door' })).code).toBe('invalid_state')
    expect(await state()).toEqual(['cancelled', 'checked_in'])
  })

  it('records one of two steps at once', async () => {
    const { office, id } = await tuesday()
    const both = await Promise.all(['at_door', 'at_door'].map((step) => office.run(recordStep, { id, step })))
    expect(both.map(({ message }) => message.includes('already')).sort()).toEqual([false, true])
    expect(await office.run(showHistory, { id })).toHaveLength(2)
  })
})
