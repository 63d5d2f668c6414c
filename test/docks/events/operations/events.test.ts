import { describe, expect, it } from 'vitest'
import { createTenant } from '../../../../src/access/operations/create-tenant'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { cancelAppointment } from '../../../../src/docks/booking/operations/cancel-appointment'
import { rescheduleAppointment } from '../../../../src/docks/booking/operations/reschedule-appointment'
import { listEvents } from '../../../../src/docks/events/operations/list-events'
import { executeStream } from '../../../../src/kernel'
import { type DockOffice, load, officeWith } from '../../dock-fixtures'

const book = async (office: DockOffice, changes: Record<string, unknown> = {}) =>
  (await office.run(bookAppointment, load(changes))).data

describe('the events of a tenant', () => {
  it('are the changes since an event, each with the appointment as it was then', async () => {
    const office = await officeWith()
    const { id, startTime } = await book(office)
    const { lastId, events } = await office.run(listEvents, {})
    expect(events).toEqual([])
    const moved = await office.run(rescheduleAppointment, { id, targetDate: '2026-11-18' })
    await office.run(cancelAppointment, { id })
    expect((await office.run(listEvents, { since: lastId })).events).toMatchObject([
      { event: 'appointment.rescheduled', data: { appointment: { id, startTime: moved.data.startTime, sequence: 1 } } },
      { event: 'appointment.cancelled', data: { appointment: { id, status: 'cancelled' } } },
    ])
    const first = await office.run(listEvents, { since: 0, limit: 1 })
    expect(first).toMatchObject({ events: [{ event: 'appointment.booked', data: { appointment: { startTime } } }] })
    expect((await office.run(listEvents, { since: first.lastId })).events).toHaveLength(2)
  })

  it('are those of one facility on request, and never those of another tenant', async () => {
    const office = await officeWith()
    await book(office)
    expect((await office.run(listEvents, { since: 0, facilityCode: 'DC1' })).events).toHaveLength(1)
    expect((await office.refusal(listEvents, { facilityCode: 'DC9' })).code).toBe('not_found')
    await office.run(createTenant, { name: 'other' })
    const other = office.as({ kind: 'terminal', tenant: 'other' })
    expect((await office.run(listEvents, { since: 0 }, other)).events).toEqual([])
  })

  it('can be followed, from an event on, until the reader leaves', async () => {
    const office = await officeWith()
    await book(office)
    const left = new AbortController()
    const stream = executeStream(listEvents as never, { since: 0 }, { ...office.ctx, signal: left.signal } as never)
    const next = async () => (await stream.next()).value
    expect(await next()).toEqual({ event: 'ready', id: 0 })
    expect(await next()).toMatchObject({ event: 'appointment.booked', id: 1 })
    const [event] = await Promise.all([next(), book(office)])
    expect(event).toMatchObject({ event: 'appointment.booked', id: 2 })
    left.abort()
    expect((await stream.next()).done).toBe(true)
  })
})
