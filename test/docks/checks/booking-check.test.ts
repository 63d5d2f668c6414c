import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bookAppointment } from '../../../src/docks/booking/operations/book-appointment'
import { confirmHold } from '../../../src/docks/booking/operations/confirm-hold'
import { createHold } from '../../../src/docks/booking/operations/create-hold'
import { getAppointment } from '../../../src/docks/booking/operations/get-appointment'
import { listAppointments } from '../../../src/docks/booking/operations/list-appointments'
import { showHistory } from '../../../src/docks/booking/operations/show-history'
import { getBookingCheck } from '../../../src/docks/checks/operations/get-booking-check'
import { removeBookingCheck } from '../../../src/docks/checks/operations/remove-booking-check'
import { setBookingCheck } from '../../../src/docks/checks/operations/set-booking-check'
import { testBookingCheck } from '../../../src/docks/checks/operations/test-booking-check'
import { signWebhook } from '../../../src/docks/events/services/signed-requests'
import { getFacility } from '../../../src/docks/facilities/operations/get-facility'
import { updateFacility } from '../../../src/docks/facilities/operations/update-facility'
import { addToWaitlist } from '../../../src/docks/waitlist/operations/add-to-waitlist'
import type { StudioError } from '../../../src/kernel'
import { load, officeWith } from '../dock-fixtures'

interface Asked {
  body: any
  text: string
  headers: IncomingHttpHeaders
}
type Answer = object | string | number | Promise<unknown>

/** A facility whose endpoint answers each request with what `answer` gives: JSON, a text, a status, or a promise that never ends. */
async function office(answer: (asked: Asked) => Answer, settings: object = {}) {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => (text += chunk))
    request.on('end', async () => {
      const call = { body: JSON.parse(text), text, headers: request.headers }
      asked.push(call)
      const given = await answer(call)
      response.statusCode = typeof given === 'number' ? given : 200
      response.end(typeof given === 'string' ? given : JSON.stringify(given))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/check`
  const opened = await officeWith()
  const ctx = {
    ...opened.ctx,
    webhooks: { allowedNetworks: ['127.0.0.0/8'] },
    findPublicUrl: () => null,
    mail: { url: null, from: null },
  }
  const run: (op: any, input: object) => Promise<any> = (op, input) => opened.run(op, input, ctx as never)
  const refusal = (op: any, input: object) => opened.refusal(op, input, ctx as never)
  const set = (more: object = {}) => run(setBookingCheck, { id: 'DC1', url, ...settings, ...more })
  return { ...opened, run, refusal, asked, url, set, secret: (await set()).secret as string }
}

const listAll = { facilityCode: 'DC1', startDate: '2026-11-16', endDate: '2026-12-16' }

describe('the booking check of a facility', () => {
  it('is asked with a signed request before a booking is made, which it accepts', async () => {
    const { run, asked, secret } = await office(() => ({ decision: 'accept' }))
    const { data } = await run(
      bookAppointment,
      load({ referenceNumber: 'PO-1', palletCount: 4, contactPhone: '555-0100' }),
    )
    expect(asked).toHaveLength(1)
    const [{ body, text, headers }] = asked as [Asked]
    expect(body).toMatchObject({
      type: 'booking.check',
      data: { facilityCode: 'DC1', booking: { referenceNumber: 'PO-1', palletCount: 4, contactPhone: '555-0100' } },
    })
    const message = { id: String(headers['webhook-id']), body: text }
    expect(headers['webhook-signature']).toBe(signWebhook(secret, message, Number(headers['webhook-timestamp'])))
    expect(await run(listAppointments, listAll)).toMatchObject([{ id: data.id }])
  })

  it('refuses with its own text, and nothing is booked', async () => {
    const { run, refusal } = await office(() => ({ decision: 'refuse', message: 'PO-1 is not ordered' }))
    const refused: StudioError = await refusal(bookAppointment, load({ referenceNumber: 'PO-1' }))
    expect(refused).toMatchObject({ code: 'booking_refused', message: 'DC1 refuses the booking: PO-1 is not ordered' })
    expect(await run(listAppointments, listAll)).toEqual([])
  })

  it('changes the length and the requirements, which must be possible', async () => {
    const changes: { durationMinutes: number; requirements?: string[] } = { durationMinutes: 90 }
    const { run, refusal } = await office(() => ({ decision: 'accept', ...changes }))
    await run(updateFacility, { id: 'DC1', doors: [{ name: 'Door 1' }, { name: 'Cold', features: ['reefer'] }] })
    const first = await run(bookAppointment, load())
    expect(first.data.durationMinutes).toBe(90)
    changes.requirements = ['reefer']
    const second = await run(bookAppointment, load())
    expect(await run(getAppointment, { id: second.data.id })).toMatchObject({
      doorName: 'Cold',
      requirements: ['reefer'],
    })
    changes.durationMinutes = 1000
    expect((await refusal(bookAppointment, load())).code).toBe('invalid')
  })

  it.each([
    ['a status', 500],
    ['no JSON', 'yes'],
    ['another answer', { decision: 'maybe' }],
    ['a redirect', 302],
    ['too much', { decision: 'accept', filler: 'x'.repeat(70_000) }],
  ])('that gives %s is away: the booking is refused or accepted as the facility says', async (_, answer) => {
    const { run, refusal, set } = await office(() => answer)
    expect(await refusal(bookAppointment, load())).toMatchObject({ code: 'unavailable', retryAfterSeconds: 60 })
    await set({ ifAway: 'accept' })
    const { data } = await run(bookAppointment, load())
    expect((await run(showHistory, { id: data.id }))[0].note).toMatch(/^Booked without the booking check: the /)
  })

  it('that does not answer holds up no other booking, because it is asked outside of the transaction', async () => {
    let arrived = () => {}
    const isAsked = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const { run, db } = await office(
      ({ body }) => {
        if (body.data.booking.referenceNumber !== 'SLOW') return { decision: 'accept' }
        arrived()
        return new Promise(() => {})
      },
      { timeoutSeconds: 1, ifAway: 'accept' },
    )
    const slow = run(bookAppointment, load({ referenceNumber: 'SLOW' }))
    await isAsked
    await run(bookAppointment, load({ referenceNumber: 'FAST' }))
    expect(await db.read(async () => 'free')).toBe('free')
    await slow
    expect((await run(listAppointments, listAll)).map(({ referenceNumber }: any) => referenceNumber)).toEqual([
      'FAST',
      'SLOW',
    ])
  })

  it('decides about the facility as it is when the booking is made: a slot that is taken meanwhile is not booked twice', async () => {
    const { run } = await office(() => ({ decision: 'accept' }))
    const requests = Array.from({ length: 6 }, () => load({ startTime: '09:00', doorId: 'Door 1' }))
    const outcomes = await Promise.allSettled(requests.map((request) => run(bookAppointment, request)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('is not asked about what is refused anyway, nor when it is removed', async () => {
    const { run, refusal, asked } = await office(() => ({ decision: 'refuse' }))
    await refusal(bookAppointment, load({ targetDate: '2020-01-01' }))
    await refusal(bookAppointment, load({ durationMinutes: 1 }))
    expect(asked).toHaveLength(0)
    await run(removeBookingCheck, { id: 'DC1' })
    await run(bookAppointment, load())
    expect(asked).toHaveLength(0)
    expect((await refusal(getBookingCheck, { id: 'DC1' })).code).toBe('not_found')
  })

  it('is not asked by a dry run, which says so, and makes no booking other than the plan', async () => {
    const answers: object[] = []
    const { run, refusal, asked } = await office(() => answers.shift()!)
    const wanted = load({ referenceNumber: 'PO-1' })
    const shown = await run(bookAppointment, { ...wanted, dryRun: true })
    expect(shown).toMatchObject({ checkAsked: false, data: { id: null, durationMinutes: 60 } })
    expect(shown.message).toContain('The booking check of the facility was not asked.')
    expect(asked).toEqual([])
    const { planId } = shown
    const ninety = { decision: 'accept', durationMinutes: 90 }
    const accept = { decision: 'accept' }
    answers.push({ decision: 'refuse' }, ninety, ninety, accept, accept)
    expect((await refusal(bookAppointment, { ...wanted, planId })).code).toBe('booking_refused')
    expect(await refusal(bookAppointment, { ...wanted, planId })).toMatchObject({
      code: 'booking_refused',
      message:
        'DC1 accepts the booking only with durationMinutes 90, which the plan does not have; nothing was booked.',
    })
    const longer = { ...wanted, durationMinutes: 90 }
    const again = await run(bookAppointment, { ...longer, dryRun: true })
    const booked = await run(bookAppointment, { ...longer, planId: again.planId })
    expect(booked.data).toMatchObject({ ...again.data, id: expect.any(String) })
    expect(booked.checkAsked).toBeUndefined()
    await run(bookAppointment, load())
    expect(await refusal(bookAppointment, { ...longer, referenceNumber: 'PO-2', planId: again.planId })).toMatchObject({
      code: 'plan_changed',
    })
  })

  it('is asked about confirmed holds, whose length it cannot change, and about the waitlist', async () => {
    const answers: object[] = [
      { decision: 'accept', durationMinutes: 90 },
      { decision: 'accept' },
      { decision: 'refuse' },
    ]
    const { run, refusal, asked } = await office(() => answers.shift()!)
    const { referenceNumber, ...place } = load()
    const held = await run(createHold, place)
    const confirm = { id: held.data.id, referenceNumber }
    expect(await refusal(confirmHold, confirm)).toMatchObject({
      code: 'booking_refused',
      message: 'DC1 asks for 90 minutes, but the held slot has 60.',
    })
    await run(confirmHold, confirm)
    expect(asked[1]!.body.data.booking).toMatchObject({ referenceNumber, startTime: held.data.startTime })
    expect((await refusal(addToWaitlist, load())).code).toBe('booking_refused')
  })

  it('has a secret that is shown once, and only to those who set it', async () => {
    const { run, set, secret } = await office(() => ({ decision: 'accept' }))
    expect(secret).toMatch(/^whsec_/)
    expect((await set({ timeoutSeconds: 3 })).secret).toBeNull()
    for (const op of [getBookingCheck, getFacility])
      expect(JSON.stringify(await run(op, { id: 'DC1' }))).not.toContain(secret.slice(6))
    const other = await set({ url: 'https://other.example/check' })
    expect(other.secret).not.toBe(secret)
  })

  it('keeps what a change leaves out, and needs an address at first', async () => {
    const { run, refusal, url } = await office(() => ({ decision: 'accept' }))
    await run(removeBookingCheck, { id: 'DC1' })
    expect((await refusal(setBookingCheck, { id: 'DC1', ifAway: 'accept' })).details).toMatchObject([{ path: 'url' }])
    expect(await run(setBookingCheck, { id: 'DC1', url })).toMatchObject({ timeoutSeconds: 5, ifAway: 'refuse' })
    await run(setBookingCheck, { id: 'DC1', timeoutSeconds: 9 })
    const changed = await run(setBookingCheck, { id: 'DC1', ifAway: 'accept' })
    expect(changed).toMatchObject({ url, timeoutSeconds: 9, ifAway: 'accept', secret: null })
  })

  it('is tested without a booking, and its address must be allowed', async () => {
    const { run, refusal, asked } = await office(() => ({ decision: 'refuse' }))
    expect((await run(testBookingCheck, { id: 'DC1' })).message).toMatch(/answered: refuse/)
    expect(asked[0]!.body).toMatchObject({ type: 'booking.check.test', data: { booking: null } })
    for (const url of [
      'http://10.0.0.1/',
      'https://169.254.169.254/',
      'http://example.com/',
      'https://a:b@example.com/',
    ])
      expect((await refusal(setBookingCheck, { id: 'DC1', url })).details).toMatchObject([{ path: 'url' }])
  })
})
