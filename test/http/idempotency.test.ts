import { expect, it } from 'vitest'
import { served } from './served'

const facility = {
  code: 'DC1',
  name: 'Depot',
  timeZone: 'UTC',
  doors: [{ name: 'Door 1' }],
  queues: [{ name: 'All', days: ['mon'], start: '06:00', end: '18:00' }],
}

it('refuses a plan that has changed with an Idempotency-Key too, and does not take its preview for the answer', async () => {
  const { call, key } = await served()
  const own = { 'x-api-key': await key('admin') }
  expect(await call('POST', '/api/facilities', { body: facility, headers: own })).toMatchObject({ status: 200 })
  const send = (body: object, idempotencyKey: string) =>
    call('PATCH', '/api/facilities/DC1', { body, headers: { ...own, 'idempotency-key': idempotencyKey } })
  const renamed = { name: 'Another name' }
  for (const _ of ['first', 'repeated']) {
    expect(await send({ ...renamed, planId: '0'.repeat(24) }, 'unknown')).toMatchObject({
      status: 409,
      body: { code: 'plan_changed', details: [{ path: 'planId', plan: { dryRun: true } }] },
    })
  }
  const shown = await send({ ...renamed, dryRun: true }, 'preview')
  expect((await send({ ...renamed, dryRun: true }, 'preview')).body).toEqual(shown.body)
  for (const _ of ['first', 'repeated']) {
    expect(await send({ ...renamed, planId: shown.body.planId }, 'known')).toMatchObject({
      status: 200,
      body: { dryRun: false, facility: renamed },
    })
  }
})

it('clears a day in parts with an Idempotency-Key, and repeats the answer', async () => {
  const { call, key } = await served()
  const own = { 'x-api-key': await key('admin') }
  await call('POST', '/api/facilities', { body: facility, headers: own })
  const booking = { facilityCode: 'DC1', type: 'pickup', carrierName: 'A', palletCount: 1, targetDate: '2055-03-01' }
  for (const referenceNumber of ['R1', 'R2'])
    await call('POST', '/api/appointments/auto-schedule', { body: { ...booking, referenceNumber }, headers: own })
  const body = { facilityCode: 'DC1', date: '2055-03-01', policy: 'cancel' }
  const clear = () => call('POST', '/api/appointments/clear', { body, headers: { ...own, 'idempotency-key': 'clear' } })
  const cleared = await clear()
  expect(cleared).toMatchObject({ status: 200, body: { cancelled: 2 } })
  expect((await clear()).body).toEqual(cleared.body)
})

it.each(['/api/series/materialize', '/api/waitlist/offer'])('repeats the answer of %s', async (path) => {
  const { call, key } = await served()
  const own = { 'x-api-key': await key('admin') }
  await call('POST', '/api/facilities', { body: facility, headers: own })
  const post = () => call('POST', path, { body: {}, headers: { ...own, 'idempotency-key': 'again' } })
  const first = await post()
  expect(first.status).toBe(200)
  expect(await post()).toMatchObject({ status: 200, body: first.body })
})
