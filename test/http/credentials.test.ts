import { describe, expect, it } from 'vitest'
import { formatCredential } from '../../src/access/services/credential'
import { createCaller, FailedCredentials, networkOf } from '../../src/http/callers/caller'
import {
  type DockRole,
  dockRoles,
  type ErrorCode,
  includesDockRole,
  type Role,
  type Scope,
  StudioError,
} from '../../src/kernel'
import { served } from './served'

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
const unknownToken = (n = 0) => formatCredential('studio_pat_', String(n).padStart(30, 'z'))

describe('the proof of a webhook', () => {
  it('counts as a failed credential if it is wrong, and not if the database could not be asked', async () => {
    const caller = createCaller({ failures: new FailedCredentials() } as Parameters<typeof createCaller>[0])
    const codes = async (code: ErrorCode) => {
      const found: string[] = []
      for (let times = 0; times < 12; times++) {
        const check = caller.checkProof({ peer: '192.0.2.1' }, 'hook gh', async () => {
          throw new StudioError(code, 'no')
        })
        await check.catch((error) => found.push(error.code))
      }
      return new Set(found)
    }
    expect(await codes('unavailable')).toEqual(new Set(['unavailable']))
    expect(await codes('unauthenticated')).toEqual(new Set(['unauthenticated', 'limited']))
    expect(await codes('unavailable')).toEqual(new Set(['unavailable']))
  })
})

describe('a token', () => {
  it('allows what its scopes say, and what they imply', async () => {
    const { call, token } = await served({ local: false })
    const calls = {
      read: ['GET', '/api/stories/saved'],
      write: ['POST', '/api/stories/save-draft'],
      admin: ['GET', '/api/tokens'],
    } as const
    const roleOf = { read: 'reader', write: 'editor', admin: 'admin' } as const satisfies Record<Scope, Role>
    const allowed = { read: ['read'], write: ['read', 'write'], admin: ['read', 'write', 'admin'] }
    for (const [scope, may] of Object.entries(allowed)) {
      const own = await token([scope])
      for (const [needed, [method, path]] of Object.entries(calls)) {
        const body = method === 'POST' ? {} : undefined
        const answer = await call(method, path, { body, ...bearer(own) })
        expect([scope, needed, answer.status]).toEqual([scope, needed, may.includes(needed) ? 200 : 403])
        if (answer.status === 403)
          expect(answer.body).toMatchObject({
            code: 'forbidden',
            hint: expect.stringContaining(`--role ${roleOf[needed as Scope]}`),
          })
      }
    }
  })

  it('is needed to manage tokens, also for a local caller', async () => {
    const { call, token } = await served()
    for (const [method, path] of [
      ['GET', '/api/tokens'],
      ['POST', '/api/tokens'],
      ['DELETE', '/api/tokens/02172125-05c2-4c39-9d2b-6953a65df825'],
    ] as const) {
      const body = method === 'POST' ? { name: 'mine' } : undefined
      expect([path, (await call(method, path, { body })).status]).toEqual([path, 401])
      expect([path, (await call(method, path, { body, ...bearer(await token(['write'])) })).status]).toEqual([
        path,
        403,
      ])
    }
    const admin = await token(['admin'])
    const made = await call('POST', '/api/tokens', { body: { name: 'ci', scopes: ['read'] }, ...bearer(admin) })
    expect(made).toMatchObject({ status: 200, body: { name: 'ci', token: expect.stringMatching(/^studio_pat_/) } })
    const listed = await call('GET', '/api/tokens', bearer(admin))
    expect(listed.text).not.toContain(made.body.token)
    expect((await call('GET', '/api/stories/saved', bearer(made.body.token))).status).toBe(200)
    expect((await call('DELETE', `/api/tokens/${made.body.id}`, bearer(admin))).status).toBe(200)
    expect((await call('GET', '/api/stories/saved', bearer(made.body.token))).status).toBe(401)
  })

  it('that is invalid is rejected also if none is needed', async () => {
    const { call, token, key } = await served()
    for (const path of ['/api/health', '/openapi.json', '/api/stories/saved', '/nothing']) {
      const refused = await call('GET', path, bearer(unknownToken()))
      expect(refused).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
      expect(refused.headers['www-authenticate']).toBe('Bearer realm="studio", error="invalid_token"')
    }
    expect((await call('GET', '/api/health', { headers: { 'x-api-key': 'studio_key_no' } })).status).toBe(401)
    expect((await call('GET', '/api/health', bearer(await token(['read'])))).status).toBe(200)
    expect((await call('GET', '/api/health', { headers: { 'x-api-key': await key() } })).status).toBe(200)
  })

  it('does not open the docks, and a dock key does not open the stories', async () => {
    const { call, token, key } = await served()
    const own = await key()
    const path = '/api/appointments?facility_code=DC1'
    expect((await call('GET', path)).status).toBe(401)
    expect((await call('GET', path, bearer(await token(['admin'])))).status).toBe(401)
    expect((await call('GET', path, { headers: { 'x-api-key': own } })).status).toBe(404)
    expect((await call('GET', '/api/stories/saved', { headers: { 'x-api-key': own } })).status).toBe(403)
    expect((await call('GET', '/api/stories/saved', bearer(own))).status).toBe(401)
  })

  it.each(['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer ', 'studio_pat_x', 'Bearer a b'])(
    'must come as a bearer: %s',
    async (authorization) => {
      const { call } = await served()
      expect((await call('GET', '/api/health', { headers: { authorization } })).status).toBe(401)
    },
  )
})

describe('a tenant', () => {
  it('comes from the key alone: no field, query or header names another', async () => {
    const { call, key } = await served()
    const headers = { 'x-api-key': await key() }
    const body = {
      facilityCode: 'DC1',
      type: 'pickup',
      targetDate: '2099-11-23',
      carrierName: 'c',
      referenceNumber: 'r',
    }
    const book = (more: object) =>
      call('POST', '/api/appointments/auto-schedule', { headers, body: { ...body, ...more } })
    expect((await book({})).status).toBe(404)
    for (const field of ['tenant', 'tenantId', 'tenant_id']) {
      const path = field
      expect(await book({ [field]: 'other' })).toMatchObject({ status: 400, body: { details: [{ path }] } })
      const asked = await call('GET', `/api/facilities?${field}=other`, { headers })
      expect(asked).toMatchObject({ status: 400, body: { details: [{ path }] } })
    }
    const named = { ...headers, 'x-tenant': 'other', 'x-tenant-id': 'other' }
    expect(await call('GET', '/api/facilities', { headers: named })).toMatchObject({ status: 200, body: [] })
  })
})

describe('a dock key', () => {
  it('may do what its role says', async () => {
    const { call, key } = await served()
    const keys = new Map<DockRole, string>()
    for (const role of dockRoles) keys.set(role, await key(role))
    const queues = [{ days: ['mon'], start: '06:00', end: '18:00' }]
    const facility = { code: 'DC1', name: 'North', timeZone: 'UTC', queues, doors: [{ name: 'Door 1' }] }
    const door = { facilityCode: 'DC1' }
    const booking = { ...door, type: 'pickup', carrierName: 'c', referenceNumber: 'r', targetDate: '2099-11-23' }
    const calls: [DockRole, string, string, object?][] = [
      ['manager', 'POST', '/api/facilities', facility],
      ['manager', 'PATCH', '/api/facilities/DC1', { name: 'South' }],
      ['manager', 'POST', '/api/doors', { ...door, name: 'Door 2' }],
      ['manager', 'PATCH', '/api/doors/Door%202', { ...door, active: false }],
      ['manager', 'DELETE', '/api/doors/Door%202?facility_code=DC1'],
      ['manager', 'POST', '/api/facilities/DC1/block', { from: '2099-11-16T06:00', to: '07:00' }],
      ['manager', 'POST', '/api/facilities/DC1/unblock', {}],
      ['manager', 'POST', '/api/facilities/DC1/close', { from: '2099-11-16' }],
      ['manager', 'POST', '/api/facilities/DC1/reopen', { from: '2099-11-16' }],
      ['viewer', 'GET', '/api/doors?facility_code=DC1'],
      ['clerk', 'POST', '/api/appointments/auto-schedule', booking],
      ['manager', 'POST', '/api/facilities/DC1/restore', {}],
      ['admin', 'GET', '/api/webhooks'],
      ['admin', 'GET', '/api/keys'],
    ]
    for (const [needed, method, path, body] of calls) {
      const send = (own: string) => call(method, path, { headers: { 'x-api-key': own }, ...(body && { body }) })
      for (const role of dockRoles.filter((each) => !includesDockRole(each, needed))) {
        const answer = await send(keys.get(role)!)
        expect([method, path, answer.status, answer.body.message]).toEqual([
          method,
          path,
          403,
          `This call needs the role ${needed} at the docks. This dock key has the role ${role}.`,
        ])
      }
      expect([method, path, (await send(keys.get(needed)!)).status]).toEqual([method, path, 200])
    }
    const remove = await call('DELETE', '/api/facilities/DC1', { headers: { 'x-api-key': keys.get('manager')! } })
    expect(remove).toMatchObject({ status: 409, body: { hint: expect.stringContaining('/api/facilities/DC1/close') } })
  })

  it('of an admin creates, lists and revokes keys of its own tenant', async () => {
    const { call, key } = await served()
    const headers = { 'x-api-key': await key('admin'), 'idempotency-key': 'one' }
    const body = { name: 'Gate tablet', role: 'gate' }
    const created = await call('POST', '/api/keys', { headers, body })
    expect(created).toMatchObject({ status: 200, body: { name: 'Gate tablet', role: 'gate', tenant: 'default' } })
    // An answer with a secret is not stored.
    const again = await call('POST', '/api/keys', { headers, body })
    expect(again.body.id).not.toBe(created.body.id)
    const list = await call('GET', '/api/keys?limit=2', { headers })
    expect([list.body.length, list.text.includes(created.body.key)]).toEqual([2, false])
    const tablet = { 'x-api-key': created.body.key }
    expect((await call('GET', '/api/facilities', { headers: tablet })).status).toBe(200)
    expect((await call('DELETE', `/api/keys/${created.body.id}`, { headers })).status).toBe(200)
    expect((await call('GET', '/api/facilities', { headers: tablet })).status).toBe(401)
    expect((await call('POST', '/api/keys', { headers, body: { tenant: 'other' } })).status).toBe(404)
  })

  it('of a carrier gets no answer that was stored for another caller', async () => {
    const { call, key } = await served()
    const [admin, blue, red] = [await key('admin'), await key('clerk', 'Blue'), await key('clerk', 'Red')]
    const send = (own: string, method: string, path: string, more: { body?: object; key?: string } = {}) =>
      call(method, path, {
        headers: { 'x-api-key': own, ...(more.key ? { 'idempotency-key': more.key } : {}) },
        ...(more.body && { body: more.body }),
      })
    const queues = [{ days: ['mon'], start: '06:00', end: '18:00' }]
    const facility = { code: 'DC1', name: 'North', timeZone: 'UTC', queues, doors: [{ name: 'Door 1' }] }
    await send(admin, 'POST', '/api/facilities', { body: facility })
    for (const name of ['Blue', 'Red']) {
      const admitted = await send(admin, 'PUT', `/api/facilities/DC1/carriers/${name}`, { body: {}, key: name })
      expect(admitted.status).toBe(200)
    }
    const booking = { facilityCode: 'DC1', type: 'pickup', carrierName: 'Blue', targetDate: '2099-11-23' }
    const book = (own: string) =>
      send(own, 'POST', '/api/appointments/auto-schedule', { body: { ...booking, referenceNumber: 'r' }, key: 'once' })
    const booked = await book(blue)
    expect((await book(blue)).body).toEqual(booked.body)
    expect((await book(red)).status).toBe(403)
    const { id } = booked.body.data
    for (const [own, names, status] of [
      [admin, ['Blue', 'Red'], 200],
      [blue, ['Blue'], 200],
      [red, ['Red'], 404],
    ] as const) {
      const seen = await send(own, 'GET', '/api/facilities/DC1')
      expect(seen.body.carriers.map(({ name }: { name: string }) => name)).toEqual(names)
      expect((await send(own, 'GET', `/api/appointments/${id}`)).status).toBe(status)
    }
    expect(
      (await send(red, 'GET', '/api/appointments?facility_code=DC1&reference_number=r&limit=1')).headers,
    ).toMatchObject({
      'x-total-count': '0',
    })
  })
})

describe('a caller without the right', () => {
  it('is rejected before the input is checked', async () => {
    const { call, token } = await served({ local: false })
    expect((await call('POST', '/api/stories/copy-sanitize', { body: '{"id":' })).status).toBe(401)
    expect(
      (await call('POST', '/api/stories/copy-sanitize', { body: '{"id":', ...bearer(await token(['read'])) })).status,
    ).toBe(403)
    expect(
      (await call('POST', '/api/stories/copy-sanitize', { body: '{"id":', ...bearer(await token(['write'])) })).status,
    ).toBe(400)
  })
})

describe('credentials that fail', () => {
  it('are answered with 429 after ten in a minute, on this machine too, and valid ones are accepted', async () => {
    const { call, token, key } = await served()
    for (let n = 0; n < 10; n++) expect((await call('GET', '/api/health', bearer(unknownToken(n)))).status).toBe(401)
    const limited = await call('GET', '/api/health', bearer(unknownToken(11)))
    expect(limited).toMatchObject({ status: 429, body: { code: 'limited' } })
    expect(Number(limited.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(Number(limited.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect((await call('GET', '/api/health', { headers: { 'x-api-key': 'studio_key_no' } })).status).toBe(429)
    // Credentials that were never used here before, and calls that bring none.
    expect((await call('GET', '/api/stories/saved', bearer(await token(['read'])))).status).toBe(200)
    expect((await call('GET', '/api/facilities', { headers: { 'x-api-key': await key() } })).status).toBe(200)
    expect((await call('GET', '/api/stories/saved')).status).toBe(200)
  })

  it('of an address over the limit cause a bounded number of look-ups', async () => {
    const failures = new FailedCredentials()
    const bad = async () => new StudioError('unauthenticated', 'No.')
    for (let n = 0; n < 10; n++) await expect(failures.check('10.0.0.1', `${n}`, bad)).rejects.toThrow('No.')
    let lookups = 0
    let answer: (found: string) => void = () => {}
    const pending = new Promise<string>((resolve) => {
      answer = resolve
    })
    const slow = () => {
      lookups++
      return pending
    }
    const flood = Array.from({ length: 100 }, (_, n) => failures.check('10.0.0.1', `secret ${n}`, slow))
    const settled = Promise.allSettled(flood)
    await Promise.race(flood).catch(() => {})
    expect(lookups).toBe(4)
    answer('valid')
    const outcomes = await settled
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(96)
    await expect(failures.check('10.0.0.2', 'x', async () => 'valid')).resolves.toBe('valid')
  })

  it('count against the client that a trusted proxy names, and against the peer where the proxy is not trusted', async () => {
    const failing = async (env: Record<string, string>, forwarded: (n: number) => string) => {
      const { call } = await served({ env })
      const statuses = new Set<number>()
      for (let n = 0; n < 14; n++) {
        const headers = { ...bearer(unknownToken(n)).headers, 'x-forwarded-for': forwarded(n) }
        statuses.add((await call('GET', '/api/health', { headers })).status)
      }
      return [...statuses]
    }
    const trusting = { STUDIO_TRUSTED_PROXIES: '127.0.0.0/8, 10.0.0.1' }
    expect(await failing(trusting, (n) => `198.51.100.${n}, 10.0.0.1`)).toEqual([401])
    expect(await failing(trusting, (n) => `198.51.100.${n}, 203.0.113.9`)).toEqual([401, 429])
    expect(await failing({}, (n) => `198.51.100.${n}`)).toEqual([401, 429])
  })

  it('do not include a valid credential without enough rights', async () => {
    const { call, token } = await served()
    const own = await token(['read'])
    for (let n = 0; n < 12; n++) expect((await call('GET', '/api/tokens', bearer(own))).status).toBe(403)
  })

  it.each([
    ['127.0.0.1', '::ffff:127.0.0.1'],
    ['2001:db8:0:1::1', '2001:db8:0:1:ffff::'],
    ['2001:DB8::1', '2001:db8:0:0:2::'],
    ['fe80::1%eth0', 'fe80::2'],
  ])('count %s and %s as one', (a, b) => {
    expect(networkOf(a)).toBe(networkOf(b))
  })

  it.each([
    ['10.0.0.1', '10.0.0.2'],
    ['2001:db8:0:1::1', '2001:db8:0:2::1'],
    ['2001::1:2:3:4:5', '2001::9:2:3:4:5'],
  ])('count %s and %s separately', (a, b) => {
    expect(networkOf(a)).not.toBe(networkOf(b))
  })
})
