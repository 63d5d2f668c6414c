import { describe, expect, it } from 'vitest'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { getAppointment } from '../../../../src/docks/booking/operations/get-appointment'
import { rescheduleAppointment } from '../../../../src/docks/booking/operations/reschedule-appointment'
import { showHistory } from '../../../../src/docks/booking/operations/show-history'
import { listEvents } from '../../../../src/docks/events/operations/list-events'
import { checkInAppointment } from '../../../../src/docks/visits/operations/check-in-appointment'
import { recordStep } from '../../../../src/docks/visits/operations/record-step'
import { undoStep } from '../../../../src/docks/visits/operations/undo-step'
import { load, officeWith } from '../../dock-fixtures'

/** An appointment on Tuesday at 06:00 in Chicago, at 05:40. */
async function tuesday() {
  const office = await officeWith()
  const { id } = (await office.run(bookAppointment, load({ referenceNumber: 'PO-1' }))).data
  office.at('2026-11-17T11:40:00Z')
  const checkIn = (truck: object = {}) => office.run(checkInAppointment, { id, ...truck })
  const visit = async () => (await office.run(getAppointment, { id })).visit
  const history = () => office.run(showHistory, { id })
  return { office, id, checkIn, visit, history }
}

describe('a repeated check-in', () => {
  it('with another plate corrects it, says so, and adds an entry to the history and an event', async () => {
    const { office, checkIn, visit, history } = await tuesday()
    await checkIn({ driverName: 'Ana Ruiz', licensePlate: 'ILX 4411', note: 'Gate 2' })
    office.at('2026-11-17T11:50:00Z')
    const { message } = await checkIn({ licensePlate: 'ILX 4114', sealNumber: 'S-204' })
    expect(message).toBe(
      'Corrected for PO-1 at DC1, which is checked in already: plate ILX 4114 instead of ILX 4411, seal S-204.',
    )
    const truck = { driverName: 'Ana Ruiz', licensePlate: 'ILX 4114', sealNumber: 'S-204' }
    expect(await visit()).toMatchObject({ ...truck, minutesAfterStart: -20, steps: [{ note: 'Gate 2' }] })
    expect((await history()).slice(1)).toMatchObject([
      { kind: 'checked_in', licensePlate: 'ILX 4411' },
      { kind: 'checked_in', ...truck, at: '2026-11-17T11:50:00.000Z', occurredAt: '2026-11-17T11:40:00.000Z' },
    ])
    const { events } = await office.run(listEvents, { facilityCode: 'DC1', since: 0 })
    expect(events.map(({ event }) => event).slice(1)).toEqual(['appointment.checked_in', 'appointment.checked_in'])
  })

  it('with nothing new, or the same again, changes nothing', async () => {
    const { office, checkIn, history } = await tuesday()
    const truck = { licensePlate: 'ILX 4411', note: 'Gate 2', at: '05:30' }
    await checkIn(truck)
    office.at('2026-11-17T11:50:00Z')
    for (const again of [{}, truck, { licensePlate: null }, { note: 'Gate 2' }])
      expect((await checkIn(again)).message).toBe(
        'Nothing was changed: the last step of PO-1 at DC1 is checked_in already.',
      )
    expect(await history()).toHaveLength(2)
  })

  it('with another note replaces it, and one undo takes the whole check-in back', async () => {
    const { office, id, checkIn, visit } = await tuesday()
    await checkIn({ licensePlate: 'A' })
    await checkIn({ licensePlate: 'B' })
    expect((await checkIn({ note: 'Gate 3' })).message).toContain('already: note.')
    expect(await visit()).toMatchObject({ licensePlate: 'B', steps: [{ step: 'checked_in', note: 'Gate 3' }] })
    await office.run(undoStep, { id })
    expect(await visit()).toMatchObject({ licensePlate: null, steps: [] })
    await checkIn({ licensePlate: 'C' })
    expect(await visit()).toMatchObject({ licensePlate: 'C', steps: [{ note: null }] })
  })

  it('with another time is refused, as is any other step with another time or note', async () => {
    const { office, id, checkIn } = await tuesday()
    await checkIn()
    office.at('2026-11-17T12:10:00Z')
    expect(await office.refusal(checkInAppointment, { id, at: '05:30' })).toMatchObject({
      code: 'invalid_state',
      message: 'The step checked_in of PO-1 at DC1 is recorded already, at 2026-11-17 05:40 (America/Chicago).',
    })
    const step = { id, step: 'at_door', note: 'Door is dark' }
    await office.run(recordStep, step)
    await office.run(recordStep, step)
    for (const again of [{ note: 'Lamp is broken' }, { at: '06:05' }])
      expect((await office.refusal(recordStep, { ...step, ...again })).code).toBe('invalid_state')
    expect((await office.refusal(checkInAppointment, { id, licensePlate: 'X' })).code).toBe('invalid_state')
  })
})

describe('a truck that comes much too early', () => {
  const DAY_BEFORE = '2026-11-16T12:00:00Z' // 24 hours

  it('is checked in only if that is confirmed, more than 24 hours before its start', async () => {
    const { office, id, checkIn, visit } = await tuesday()
    office.at(new Date(Date.parse(DAY_BEFORE) - 1).toISOString())
    const refusal = await office.refusal(checkInAppointment, { id })
    expect(refusal).toMatchObject({
      code: 'invalid_state',
      message: 'The appointment of PO-1 starts at 2026-11-17 06:00 (America/Chicago), more than 24 hours later.',
    })
    expect((await visit()).steps).toEqual([])
    await checkIn({ early: true })
    expect(await visit()).toMatchObject({ arrival: 'early' })
    await office.run(recordStep, { id, step: 'at_door' })
  })

  it('needs no confirmation up to 24 hours before', async () => {
    const { office, checkIn } = await tuesday()
    office.at(DAY_BEFORE)
    expect((await checkIn()).data.step).toBe('checked_in')
  })

  it('by the time that a late record says, too', async () => {
    const { office, id } = await tuesday()
    expect((await office.refusal(checkInAppointment, { id, at: '2026-11-16T05:59' })).code).toBe('invalid_state')
    await office.run(checkInAppointment, { id, at: '2026-11-16T06:00' })
  })

  it.each(['at_door', 'loading', 'completed'])('with %s as its first step', async (step) => {
    const { office, id } = await tuesday()
    office.at('2026-11-01T12:00:00Z')
    expect((await office.refusal(recordStep, { id, step })).code).toBe('invalid_state')
    await office.run(recordStep, { id, step, early: true })
  })

  it('can be turned away without a confirmation, and needs one when it comes back too early', async () => {
    const { office, id } = await tuesday()
    office.at('2026-11-10T12:00:00Z')
    await office.run(recordStep, { id, step: 'turned_away', note: 'A week early' })
    expect((await office.refusal(checkInAppointment, { id })).code).toBe('invalid_state')
    await office.run(rescheduleAppointment, { id, targetDate: '2026-11-10' })
    await office.run(checkInAppointment, { id })
  })
})
