import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fixedToken } from '../../../src/credentials/token-source'
import { requestDefaults } from '../../../src/tracker/azure-devops/azure-devops-tracker'
import { classifyResponse } from '../../../src/tracker/azure-devops/response-error'
import type { HttpRequest } from '../../../src/tracker/services/requests/http-client'
import { openHttpClient } from '../../../src/tracker/services/requests/http-client'
import { defaultLimits, type RequestLimits } from '../../../src/tracker/services/requests/rate-limiter'
import { RetryingClient } from '../../../src/tracker/services/requests/retrying-client'
import { DEFAULT_SETTING_NAMES } from '../../../src/tracker/services/setting-names'
import { parseTrackerAddress } from '../../../src/tracker/services/tracker-address'
import { createFakeTiming, errorOf, never } from '../azure-devops/fixtures'
import { type Behaviour, startStub } from '../azure-devops/stub-server'

const shape = z.looseObject({ count: z.number() })
const query: HttpRequest = { method: 'POST', path: '/_apis/wit/wiql', body: { query: 'SELECT' } }
const patch: HttpRequest = { method: 'PATCH', path: '/_apis/wit/workitems/7', body: [] }
const good: Behaviour = { json: { count: 3 } }
const busy: Behaviour = { status: 503, text: 'busy' }
const blocked: Behaviour = { status: 429, json: {}, headers: { 'retry-after': '5' } }

/** A client of a tracker with one behaviour per request; the last one is repeated. */
async function clientOver(behaviours: Behaviour[], limits: Partial<RequestLimits> = {}) {
  const stub = await startStub(() => (behaviours.length > 1 ? behaviours.shift()! : behaviours[0]!))
  const timing = createFakeTiming()
  const pauses: number[] = []
  const address = parseTrackerAddress(stub.url)
  const all = { ...defaultLimits, ...limits }
  const http = openHttpClient({
    address,
    proxy: null,
    ...requestDefaults,
    tokenSource: fixedToken('t'),
    limits: all,
    now: timing.now,
  })
  return {
    ...stub,
    timing,
    pauses,
    client: new RetryingClient({
      access: {
        address,
        hasToken: true,
        tokenAdvice: null,
        names: DEFAULT_SETTING_NAMES,
        addressForm: 'the address',
      },
      classifyResponse,
      limits: all,
      http,
      timing,
      onPause: (seconds) => pauses.push(seconds),
    }),
  }
}

describe('a read', () => {
  it.each<[string, Behaviour]>([
    ['429', { status: 429, json: {} }],
    ['502', { status: 502, text: '' }],
    ['503', busy],
    ['504', { status: 504, text: '' }],
    ['a reset', 'reset'],
    ['an answer that is cut', { json: { count: 3 }, cutAfter: 3 }],
    ['JSON that breaks off', { text: '{"coun', headers: { 'content-type': 'application/json' } }],
  ])('is sent again after %s', async (_, behaviour) => {
    const { client, requests } = await clientOver([behaviour, good])
    expect(await client.read(query, shape, never)).toEqual({ count: 3 })
    expect(requests).toHaveLength(2)
  })

  it.each<[string, Behaviour]>([
    ['400', { status: 400, json: {} }],
    ['401', { status: 401, json: {} }],
    ['403', { status: 403, json: {} }],
    ['404', { status: 404, json: {} }],
    ['500', { status: 500, json: {} }],
    ['a page', { text: '<html></html>' }],
  ])('is not sent again after %s', async (_, behaviour) => {
    const { client, requests } = await clientOver([behaviour, good])
    await errorOf(client.read(query, shape, never))
    expect(requests).toHaveLength(1)
  })

  it('fails after the maximum number of attempts, with waits from a growing range', async () => {
    const { client, requests, timing } = await clientOver([busy], { maxAttempts: 4, baseBackoffMs: 400 })
    expect(await errorOf(client.read(query, shape, never))).toMatchObject({ code: 'tracker_unavailable' })
    expect(requests).toHaveLength(4)
    expect(timing.slept).toEqual([200, 400, 800])
  })

  it('waits as long as Retry-After asks for', async () => {
    const { client, timing } = await clientOver([blocked, good], { baseBackoffMs: 400 })
    await client.read(query, shape, never)
    expect(timing.slept).toEqual([200, 4800])
  })

  it('respects the Retry-After of a successful response before the next request', async () => {
    const { client, timing } = await clientOver([{ ...(good as object), headers: { 'retry-after': '3' } }, good])
    await client.read(query, shape, never)
    expect(timing.slept).toEqual([])
    await client.read(query, shape, never)
    expect(timing.slept).toEqual([3000])
  })

  it('repeats as often as the tracker asks for a pause, for two minutes in all, and reports each pause', async () => {
    const later: Behaviour = { status: 503, text: 'failover', headers: { 'retry-after': '14' } }
    const { client, requests, timing, pauses } = await clientOver(Array.from({ length: 9 }, () => later).concat(good))
    const startedAt = timing.now()
    expect(await errorOf(client.read(query, shape, never))).toMatchObject({
      code: 'tracker_unavailable',
      retryAfterSeconds: 14,
    })
    expect(requests).toHaveLength(9)
    expect(timing.now() - startedAt).toBe(8 * 14_000)
    expect(pauses).toHaveLength(8)
  })

  it('survives a failover for which the tracker asks for pauses', async () => {
    const later: Behaviour = { status: 503, text: 'failover', headers: { 'retry-after': '14' } }
    const { client, requests } = await clientOver([...Array.from({ length: 8 }, () => later), good])
    expect(await client.read(query, shape, never)).toEqual({ count: 3 })
    expect(requests).toHaveLength(9)
  })

  it('reports a pause once if several requests wait for its end', async () => {
    const { client, pauses } = await clientOver([blocked, good])
    await client.read(query, shape, never)
    expect(pauses).toEqual([5])
    const { client: both, pauses: reported } = await clientOver([
      { ...(good as object), headers: { 'retry-after': '3' } },
      good,
    ])
    await both.read(query, shape, never)
    await Promise.all([both.read(query, shape, never), both.read(query, shape, never)])
    expect(reported).toEqual([3])
  })

  it('fails with the requested pause if it is longer than the limit', async () => {
    const long: Behaviour = { status: 429, json: {}, headers: { 'retry-after': '600' } }
    const { client, requests, timing } = await clientOver([long], { maxWaitMs: 60_000 })
    expect(await errorOf(client.read(query, shape, never))).toMatchObject({
      code: 'tracker_throttled',
      retryAfterSeconds: 600,
    })
    expect(await errorOf(client.read(query, shape, never))).toMatchObject({
      code: 'tracker_throttled',
      retryAfterSeconds: 600,
    })
    expect(requests).toHaveLength(1)
    expect(timing.slept).toEqual([])
  })

  it('fails if the response has another shape', async () => {
    const { client } = await clientOver([{ json: { count: 'three' } }])
    const error = await errorOf(client.read(query, shape, never))
    expect(error).toMatchObject({ code: 'tracker_answer' })
    expect(error.message).toContain('/_apis/wit/wiql')
  })

  it('ends when its caller cancels it during a wait', async () => {
    const { client, timing } = await clientOver([busy])
    const caller = new AbortController()
    timing.sleep = async (_, signal) => {
      caller.abort()
      signal.throwIfAborted()
    }
    expect(await errorOf(client.read(query, shape, caller.signal))).toMatchObject({ code: 'interrupted' })
  })
})

describe('a write', () => {
  it('is sent again only if the tracker refused to process it', async () => {
    const { client, requests } = await clientOver([blocked, good])
    const { response: answer, error } = await client.write(patch, never)
    expect(error).toBeNull()
    expect(answer.json).toEqual({ count: 3 })
    expect(requests).toHaveLength(2)
  })

  it.each<[string, Behaviour]>([
    ['502', { status: 502, text: '' }],
    ['503', busy],
    ['504', { status: 504, text: '' }],
    ['500', { status: 500, json: {} }],
    ['409', { status: 409, json: {} }],
  ])('is not sent again after %s, and returns the response and the error', async (_, behaviour) => {
    const { client, requests } = await clientOver([behaviour, good])
    const { response: answer, error } = await client.write(patch, never)
    expect(answer.status).toBe((behaviour as { status: number }).status)
    expect(error).not.toBeNull()
    expect(requests).toHaveLength(1)
  })

  it('is not sent again after a reset, and throws the error', async () => {
    const { client, requests } = await clientOver(['reset', good])
    expect(await errorOf(client.write(patch, never))).toMatchObject({ effect: 'unknown' })
    expect(requests).toHaveLength(1)
  })
})
