import { connect } from 'node:net'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { loadAllOperations } from '../../src/catalog'
import type { Call } from '../../src/http/call'
import { CallerLimits } from '../../src/http/callers/caller-limits'
import { dockCaller } from '../dock-caller'
import { served } from './served'

const callFrom = (peer: string, credentials: Partial<Call['credentials']> = {}) =>
  ({ peer, credentials: { user: null, dock: null, ...credentials }, limitedBy: null }) as Call

function allowedOf(limits: CallerLimits, calls: readonly Call[]): number {
  return calls.filter((call) => {
    try {
      limits.countRequest(call)
      return true
    } catch {
      return false
    }
  }).length
}

const several = (count: number, call: Call) => Array.from({ length: count }, () => call)

/** Only the test advances the time: on a busy machine, more calls would be allowed meanwhile. */
function stopTime(): void {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
}

describe('the rate of a caller', () => {
  it('allows a burst, and then what comes back each second', () => {
    stopTime()
    const limits = new CallerLimits({ rateLimit: 100, concurrentCalls: 0 })
    const caller = callFrom('192.0.2.1')
    expect(allowedOf(limits, several(1_000, caller))).toBe(500)
    vi.advanceTimersByTime(1_000)
    expect(allowedOf(limits, several(1_000, caller))).toBe(100)
    vi.advanceTimersByTime(60_000)
    expect(allowedOf(limits, several(1_000, caller))).toBe(500)
  })

  it('is that of a credential, and of an address without one', () => {
    stopTime()
    const limits = new CallerLimits({ rateLimit: 1, concurrentCalls: 0 })
    const user = (tokenId: string | null, name = 'ann') => ({ kind: 'user', name, tokenId, role: 'reader' }) as never
    const same = [callFrom('192.0.2.1', { user: user('a') }), callFrom('192.0.2.2', { user: user('a') })]
    expect(
      allowedOf(
        limits,
        same.flatMap((call) => several(10, call)),
      ),
    ).toBe(5)
    const others = [
      callFrom('192.0.2.1', { user: user('b') }),
      callFrom('192.0.2.1', { user: user(null) }),
      callFrom('192.0.2.1', { dock: dockCaller() }),
      callFrom('192.0.2.1'),
      callFrom('2001:db8::1'),
    ]
    expect(others.map((call) => allowedOf(limits, several(10, call)))).toEqual([5, 5, 5, 5, 5])
    expect(allowedOf(limits, several(10, callFrom('2001:db8::2')))).toBe(0)
  })

  it('is stored for a bounded number of callers: the first of them start anew', () => {
    stopTime()
    const limits = new CallerLimits({ rateLimit: 1, concurrentCalls: 0 })
    const others = (count: number) => {
      for (let i = 0; i < count; i++) limits.countRequest(callFrom(`peer ${i}`))
    }
    const first = callFrom('192.0.2.1')
    expect(allowedOf(limits, several(10, first))).toBe(5)
    others(9_000)
    expect(allowedOf(limits, several(10, first))).toBe(0)
    others(11_000)
    expect(allowedOf(limits, several(10, first))).toBe(5)
  })

  it('has no limit where it is 0', () => {
    const limits = new CallerLimits({ rateLimit: 0, concurrentCalls: 0 })
    expect(allowedOf(limits, several(5_000, callFrom('192.0.2.1')))).toBe(5_000)
  })
})

describe('a caller over its rate', () => {
  const env = { STUDIO_RATE_LIMIT: '1', STUDIO_METRICS: 'on' }

  it('gets 429 with the time to wait, and is counted in the metrics', async () => {
    stopTime()
    const { call, token } = await served({ env })
    const answers = []
    for (let i = 0; i < 7; i++) answers.push(await call('POST', '/api/folders', { body: {} }))
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 429, 429])
    expect(answers.at(-1)).toMatchObject({
      headers: { 'retry-after': '1' },
      body: { code: 'limited', message: 'One caller may send 1 request per second.' },
    })
    // Another caller has a rate of its own.
    const headers = { authorization: `Bearer ${await token(['read'])}` }
    const { text } = await call('GET', '/metrics', { headers })
    expect(text).toMatch(/^studio_http_requests_limited_total\{limit="rate"\} 2$/m)
  })

  it('is still told that the process is healthy', async () => {
    const { call } = await served({ env })
    const statuses = []
    for (let i = 0; i < 20; i++) statuses.push((await call('GET', '/api/health')).status)
    expect(new Set(statuses)).toEqual(new Set([200]))
  })
})

describe('expensive calls', () => {
  it('are declared as such by their operations', async () => {
    const operations = await loadAllOperations()
    const long = operations.filter(({ http, stream }) => http?.withinMs !== undefined && !stream?.resumeAt)
    expect(long.filter(({ isExpensive }) => !isExpensive).map(({ id }) => id)).toEqual([])
  })

  it('are refused for a caller that has too many under way, and for no other', () => {
    const limits = new CallerLimits({ rateLimit: 0, concurrentCalls: 2 })
    const caller = callFrom('192.0.2.1')
    const [end] = [limits.beginCall({ isExpensive: true }, caller), limits.beginCall({ isExpensive: true }, caller)]
    expect(() => limits.beginCall({ isExpensive: true }, caller)).toThrow('One caller may have 2 such calls under way.')
    expect(caller.limitedBy).toBe('concurrency')
    limits.beginCall({}, caller)()
    limits.beginCall({ isExpensive: true }, callFrom('192.0.2.2'))()
    end()
    end()
    limits.beginCall({ isExpensive: true }, caller)
    expect(() => limits.beginCall({ isExpensive: true }, caller)).toThrow('One caller may have 2 such calls under way.')
  })
})

describe('large bodies', () => {
  it('are refused for a caller that has too many on their way', async () => {
    const { call, port } = await served({ env: { STUDIO_CONCURRENT_CALLS: '2' } })
    const head = ['POST /api/folders HTTP/1.1', `Host: 127.0.0.1:${port}`, 'Content-Type: application/json']
    const sockets = [1, 2].map(() => connect(port, '127.0.0.1'))
    onTestFinished(() => sockets.forEach((socket) => void socket.destroy()))
    for (const socket of sockets) socket.write([...head, 'Content-Length: 900000', '', '{'].join('\r\n'))
    const large = { body: { name: 'x'.repeat(100_000) } }
    await expect.poll(async () => (await call('POST', '/api/folders', large)).status).toBe(429)
    expect((await call('POST', '/api/folders', { body: { name: 'small' } })).status).toBe(200)
    for (const socket of sockets) socket.destroy()
    await expect.poll(async () => (await call('POST', '/api/folders', large)).status).toBe(400)
  })
})
