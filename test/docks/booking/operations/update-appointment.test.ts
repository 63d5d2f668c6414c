import { describe, expect, it } from 'vitest'
import { colorsFor } from '../../../../commands/terminal/colors'
import { renderAppointmentAnswer } from '../../../../commands/views/docks/appointment'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { getAppointment } from '../../../../src/docks/booking/operations/get-appointment'
import { listAppointments } from '../../../../src/docks/booking/operations/list-appointments'
import { rescheduleAppointment } from '../../../../src/docks/booking/operations/reschedule-appointment'
import { showHistory } from '../../../../src/docks/booking/operations/show-history'
import { updateAppointment } from '../../../../src/docks/booking/operations/update-appointment'
import { updateFacility } from '../../../../src/docks/facilities/operations/update-facility'
import { type DockOffice, load, officeWith } from '../../dock-fixtures'

const book = async (office: DockOffice, changes: Record<string, unknown> = {}) =>
  (await office.run(bookAppointment, load({ startTime: '09:00', ...changes }))).data

describe('updating an appointment', () => {
  it('changes the given fields alone, and counts as one change', async () => {
    const office = await officeWith()
    const { id } = await book(office, { referenceNumber: 'PO-1', weight: 900, equipmentId: 'T-1', palletCount: 3 })
    const {
      visit: _,
      timeZone: __,
      nextSteps: ___,
      sequence: ____,
      updatedAt: _____,
      pinned: _p,
      doorAnnouncedAt: _d,
      ...before
    } = await office.run(getAppointment, { id })
    const changes = { carrierName: 'Red Lines', trailerId: 'T-2', loadDescription: 'Tiles', palletCount: 40 }
    const { message, data } = await office.run(updateAppointment, { id, ...changes })
    expect(message).toBe('Appointment PO-1 at DC1 is updated: 2026-11-17 09:00 (America/Chicago) at Door 1.')
    const references = [{ number: 'PO-1', pallets: 40, pieces: null }]
    expect(data).toEqual({ ...before, ...changes, references, equipmentId: 'T-2' })
    const colors = colorsFor('out', { isTty: false, env: {}, noColor: true })
    const shown = renderAppointmentAnswer({ message, data }, { colors, width: 80 })
    expect(shown).toMatch(/^In UTC +2026-11-17 15:00 to 16:00\nLength +60 minutes\n[\s\S]*^Trailer +T-2$/m)
    expect(await office.run(getAppointment, { id })).toMatchObject(data)
    const cleared = await office.run(updateAppointment, { id, weight: null, equipmentId: null, loadDescription: null })
    expect(cleared.data).toEqual({ ...data, weight: null, equipmentId: null, trailerId: null, loadDescription: null })
    expect(await office.run(listAppointments, { facilityCode: 'DC1', referenceNumber: 'PO-1' })).toMatchObject([
      { sequence: 2 },
    ])
  })

  it('saves nothing, and moves nothing, if the appointment was changed since the sequence that was seen', async () => {
    const office = await officeWith()
    const { id } = await book(office)
    const { sequence } = await office.run(getAppointment, { id })
    await office.run(updateAppointment, { id, carrierName: 'Acme', ifSequence: sequence })
    const stale = { code: 'stale_revision', details: [{ path: 'ifSequence', was: sequence, now: sequence + 1 }] }
    const update = office.run(updateAppointment, { id, weight: 900, ifSequence: sequence })
    await expect(update).rejects.toMatchObject(stale)
    const move = office.run(rescheduleAppointment, { id, targetDate: '2026-11-18', ifSequence: sequence })
    await expect(move).rejects.toMatchObject(stale)
    expect(await office.run(getAppointment, { id })).toMatchObject({ weight: null, sequence: sequence + 1 })
  })

  it('changes nothing if nothing differs, and needs a field', async () => {
    const office = await officeWith()
    const { id, carrierName } = await book(office, { referenceNumber: 'PO-1' })
    expect((await office.run(updateAppointment, { id, carrierName })).message).toMatch(/^Nothing was changed/)
    expect(await office.run(listAppointments, { facilityCode: 'DC1', referenceNumber: 'PO-1' })).toMatchObject([
      { sequence: 0 },
    ])
    expect((await office.refusal(updateAppointment, { id })).code).toBe('invalid')
    expect((await office.refusal(updateAppointment, { id, equipmentId: 'A', trailerId: 'B' })).code).toBe('invalid')
  })

  it('accepts a longer stay up to the next appointment, and a shorter one always', async () => {
    const office = await officeWith({ doors: [{ name: 'Door 1' }], capacity: 1 })
    const { id } = await book(office)
    await book(office, { startTime: '11:00' })
    const { data } = await office.run(updateAppointment, { id, durationMinutes: 120 })
    expect(data).toMatchObject({ startTime: '2026-11-17T15:00:00.000Z', endTime: '2026-11-17T17:00:00.000Z' })
    const refusal = await office.refusal(updateAppointment, { id, durationMinutes: 121, carrierName: 'Red Lines' })
    expect(refusal).toMatchObject({
      code: 'slot_unavailable',
      message:
        'The appointment cannot stay until 2026-11-17 11:01 (America/Chicago). Door 1: another appointment is there.',
      details: [
        { path: 'durationMinutes', reason: 'taken' },
        { alternative: { startTime: '2026-11-17T14:45:00.000Z' } },
        { alternative: {} },
        { alternative: {} },
      ],
    })
    expect(await office.run(getAppointment, { id })).toMatchObject(data)
    expect((await office.run(updateAppointment, { id, durationMinutes: 15 })).data.durationMinutes).toBe(15)
  })

  it.each([
    ['a break', '11:00', {}, 'break'],
    ['the end of the hours', '17:00', {}, 'outside_hours'],
    ['the capacity', '14:00', { capacity: 1 }, 'capacity'],
  ])('refuses a longer stay that meets %s', async (_, startTime, facility, reason) => {
    const office = await officeWith(facility)
    const { id } = await book(office, { startTime })
    if (reason === 'capacity') await book(office, { startTime: '15:00', doorId: 'Door 2' })
    const { code, details } = await office.refusal(updateAppointment, { id, durationMinutes: 90 })
    expect([code, details[0]?.['reason']]).toEqual(['slot_unavailable', reason])
  })

  it('changes the reference to one that is free, and the type where the door accepts it', async () => {
    const office = await officeWith({ doors: [{ name: 'Door 1' }, { name: 'Door 2', types: ['delivery'] }] })
    const { id } = await book(office, { referenceNumber: 'PO-1' })
    const other = await book(office, { referenceNumber: 'PO-2' })
    const changes = { referenceNumber: 'PO-3', type: 'pickup' }
    expect((await office.run(updateAppointment, { id, ...changes })).data).toMatchObject(changes)
    expect((await office.refusal(updateAppointment, { id, referenceNumber: 'PO-2' })).code).toBe('duplicate_reference')
    expect(other.doorName).toBe('Door 2')
    expect(await office.refusal(updateAppointment, { id: other.id, type: 'pickup' })).toMatchObject({
      code: 'slot_unavailable',
      message: expect.stringMatching(
        /^The appointment cannot be a pickup at 2026-11-17 09:00 \(America\/Chicago\)\. Door 2: /,
      ),
    })
    const history = await office.run(showHistory, { id })
    expect(history.at(-1)).toMatchObject({
      changes: [
        { field: 'type', before: 'delivery', after: 'pickup' },
        { field: 'referenceNumber', before: 'PO-1', after: 'PO-3' },
      ],
    })
  })

  it('edits an appointment that no longer fits the facility, but does not lengthen it', async () => {
    const office = await officeWith()
    const { id } = await book(office, { startTime: '14:00' })
    const queues = [{ name: 'Short', days: ['tue'], start: '06:00', end: '14:30' }]
    await office.run(updateFacility, { id: 'DC1', queues })
    await office.run(updateAppointment, { id, carrierName: 'Red Lines', durationMinutes: 45 })
    expect((await office.refusal(updateAppointment, { id, durationMinutes: 60 })).code).toBe('slot_unavailable')
  })

  it('is for scheduled appointments, within the limits of the facility', async () => {
    const office = await officeWith()
    const { id } = await book(office)
    expect((await office.refusal(updateAppointment, { id, durationMinutes: 500 })).code).toBe('invalid')
    await office.run(cancelAppointment, { id })
    expect((await office.refusal(updateAppointment, { id, weight: 1 })).code).toBe('invalid_state')
    const unknown = '11111111-1111-1111-1111-111111111111'
    expect((await office.refusal(updateAppointment, { id: unknown, weight: 1 })).code).toBe('not_found')
  })
})
