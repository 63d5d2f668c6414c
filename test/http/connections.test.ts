import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { describeError } from '../../src/http/answers/error-response'
import { createCallSignal, createProxyCheck } from '../../src/http/call'
import type { ConnectionLimits } from '../../src/http/connections/connection-limit'
import { openConnections, type Timeouts } from '../../src/http/connections/connections'

const LONG_MS = 3_600_000
const patient: Timeouts = {
  headersMs: LONG_MS,
  requestMs: LONG_MS,
  idleMs: LONG_MS,
  checkEveryMs: 20,
  gracePeriodMs: LONG_MS,
}

const unlimited: ConnectionLimits = {
  limit: Number.POSITIVE_INFINITY,
  isTrustedProxy: () => false,
  refused() {},
}

async function listening(
  listener: RequestListener,
  timeouts: Partial<Timeouts> = {},
  limits: Partial<ConnectionLimits> = {},
) {
  const connections = openConnections(listener, { ...unlimited, ...limits }, { ...patient, ...timeouts })
  const { server } = connections
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => server.closeAllConnections())
  const { port } = server.address() as AddressInfo
  const open = async (text = ''): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.setEncoding('utf8')
    if (text) socket.write(text)
    return socket
  }
  return { connections, open }
}

const answerOk: RequestListener = (_, response) => void response.end('ok')
const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

async function allOf(socket: Socket): Promise<string> {
  let said = ''
  for await (const part of socket) said += part
  return said
}

/** The answer to a call. If this process pauses, the service may close a connection before it reads the call, so the caller tries again. */
async function answerTo(open: (text: string) => Promise<Socket>, text = GET): Promise<string> {
  for (;;) {
    const said = await allOf(await open(text)).catch(() => '')
    if (said !== '') return said
  }
}

describe('a caller who takes too long', () => {
  it('is one who needs more than the documented limits', () => {
    const { server } = openConnections(answerOk, unlimited)
    const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = server
    expect({ headersTimeout, requestTimeout, keepAliveTimeout, timeout }).toEqual({
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 60_000,
      timeout: 60_000,
    })
  })

  it('to send the headers gets an error, and is disconnected', async () => {
    const { open } = await listening(answerOk, { headersMs: 50 })
    const said = await answerTo(open, 'GET / HTTP/1.1\r\nHost: ')
    expect(said).toMatch(/^HTTP\/1.1 408 /)
    expect(JSON.parse(said.slice(said.indexOf('\r\n\r\n')))).toMatchObject({ code: 'request_timeout' })
  })

  it('to send anything is disconnected', async () => {
    const { open } = await listening(answerOk, { headersMs: 50 })
    await allOf(await open())
  })

  it('to send the body gets an error, and is disconnected', async () => {
    const reading: RequestListener = (request, response) => {
      request
        .on('error', () => {})
        .resume()
        .on('end', () => response.end('ok'))
    }
    const { open } = await listening(reading, { headersMs: 40, requestMs: 50 })
    const said = await answerTo(open, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf')
    expect(said).toMatch(/^HTTP\/1.1 408 /)
  })

  it('to send another request is disconnected', async () => {
    const { open } = await listening(answerOk, { idleMs: 50 })
    expect(await answerTo(open)).toMatch(/^HTTP\/1.1 200 /)
  })

  it('to read the answer is disconnected', async () => {
    let gone: Promise<unknown> | undefined
    const endless: RequestListener = (_, response) => {
      gone = once(response, 'close')
      response.write(Buffer.alloc(64 * 1024 * 1024))
    }
    const { connections, open } = await listening(endless, { idleMs: 50 })
    const { server } = connections
    while (!gone) {
      const left = new Promise((resolve) => server.once('connection', (peer) => peer.once('close', resolve)))
      const socket = await open(GET)
      // On Windows, the client learns of the end as a reset.
      socket.on('error', () => {}).pause()
      await Promise.race([once(server, 'request'), left])
    }
    await gone
  })

  it('because the call does is not disconnected', async () => {
    let answer: () => void = () => {}
    let rounds = 0
    const slow: RequestListener = (request, response) => {
      request.socket.on('timeout', () => {
        if (++rounds === 3) answer()
      })
      answer = () => response.end('late')
    }
    const { open } = await listening(slow, { idleMs: 30 })
    expect(await answerTo(open)).toMatch(/^HTTP\/1.1 200 /)
    expect(rounds).toBeGreaterThanOrEqual(3)
  })
})

// Only Linux has all addresses of 127.0.0.0/8.
describe.runIf(process.platform === 'linux')('one address', () => {
  /** Opens connections from an address, and returns those that the server has not closed. */
  async function hold(port: number, from: string, count: number): Promise<Socket[]> {
    const sockets = Array.from({ length: count }, () => connect({ port, host: '127.0.0.1', localAddress: from }))
    onTestFinished(() => sockets.forEach((socket) => void socket.destroy()))
    const isServed = async (socket: Socket) => {
      socket.write(GET)
      return (await Promise.race([once(socket, 'data'), once(socket, 'close')]).catch(() => [])).length > 0
    }
    const served = await Promise.all(sockets.map(async (socket) => (await isServed(socket)) && !socket.destroyed))
    return sockets.filter((_, i) => served[i])
  }
  const portOf = ({ server }: { server: { address(): unknown } }) => (server.address() as AddressInfo).port

  it('may hold half of all connections, and others find the rest', async () => {
    const refused: string[] = []
    const { connections } = await listening(answerOk, {}, { limit: 40, refused: (limit) => refused.push(limit) })
    const port = portOf(connections)
    const greedy = await hold(port, '127.0.0.2', 30)
    expect([greedy.length, refused]).toEqual([20, Array(10).fill('address')])
    const other = await hold(port, '127.0.0.3', 5)
    expect([other.length, refused.length]).toEqual([5, 10])
    for (const socket of greedy) socket.destroy()
    await expect.poll(async () => (await hold(port, '127.0.0.2', 1)).length).toBe(1)
  })

  it('may hold 16 at least, and all if it is a trusted proxy, until there are none', async () => {
    const refused: string[] = []
    const { connections } = await listening(
      answerOk,
      {},
      { limit: 20, isTrustedProxy: createProxyCheck(['127.0.0.9']), refused: (limit) => refused.push(limit) },
    )
    const few = await hold(portOf(connections), '127.0.0.2', 18)
    expect(few.length).toBe(16)
    for (const socket of few) socket.destroy()
    await expect.poll(() => new Promise((resolve) => connections.server.getConnections((_, n) => resolve(n)))).toBe(0)
    expect((await hold(portOf(connections), '127.0.0.9', 24)).length).toBe(20)
    expect(refused).toEqual(['address', 'address', 'total', 'total', 'total', 'total'])
  })
})

describe('a server that stops', () => {
  it('answers the calls in progress, closes their connections, and accepts no more', async () => {
    let answer: () => void = () => {}
    const waiting: RequestListener = (_, response) => {
      answer = () => response.end('done')
    }
    const { connections, open } = await listening(waiting)
    const [idle, busy] = [await open(), await open(GET)]
    await once(connections.server, 'request')
    const stopping = new AbortController()
    const closed = connections.close(stopping)
    const said = allOf(busy)
    answer()
    expect(await said).toMatch(/done/)
    idle.destroy()
    await closed
    expect(stopping.signal.aborted).toBe(false)
    await expect(open()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('aborts calls that do not end within the grace period', async () => {
    const stopping = new AbortController()
    const stubborn: RequestListener = (_, response) => {
      stopping.signal.addEventListener('abort', () => response.writeHead(503).end('stopped'))
    }
    const { connections, open } = await listening(stubborn, { gracePeriodMs: 20 })
    const busy = await open(GET)
    await once(connections.server, 'request')
    const [said] = await Promise.all([allOf(busy), connections.close(stopping)])
    expect(said).toMatch(/^HTTP\/1.1 503 /)
    const { signal } = createCallSignal([stopping.signal], 1_000)
    const request = { requestId: 'r', accept: undefined, hasCredential: false, path: '/' }
    const shown = await describeError(signal.reason, request)
    expect(shown).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } })
    expect(JSON.parse(shown.body)).toMatchObject({ code: 'unavailable', message: expect.stringMatching(/stopped/) })
  })
})

describe('requests that come one after another on a connection', () => {
  /** Answers each with its target, and counts those that have begun. */
  function echo(more = '') {
    const begun: string[] = []
    const listener: RequestListener = (request, response) => {
      begun.push(request.url!)
      let length = 0
      request.on('data', (part: Buffer) => {
        length += part.length
      })
      request.on('end', () => response.end(`<${request.url} ${length}>${more}`))
    }
    return { begun, listener }
  }
  const get = (n: number) => `GET /${n} HTTP/1.1\r\nHost: a\r\n\r\n`
  const many = (count: number) => Array.from({ length: count }, (_, n) => n)
  const targetsIn = (said: string) => [...said.matchAll(/<\/(\d+) \d+>/g)].map(([, n]) => Number(n))
  const last = 'GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'

  it('are all answered, in order', async () => {
    const { listener } = echo()
    const { open } = await listening(listener)
    const said = await allOf(
      await open(
        many(2_000)
          .map((n) => get(n))
          .join('') + last,
      ),
    )
    expect(targetsIn(said)).toEqual(many(2_000))
    expect(said).toContain('</last 0>')
  })

  it('are answered however they are split, with bodies of a known length and in chunks', async () => {
    const { listener } = echo()
    const { open } = await listening(listener)
    const body = 'x\n\r\n\r\ny'.repeat(500)
    const text = [
      get(1),
      `POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      get(3),
      `POST /4 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
      get(5),
      'POST /6 HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n\r\n',
      get(7),
      last,
    ].join('')
    for (const size of [1, 7, 1_024, text.length]) {
      const socket = await open()
      const said = allOf(socket)
      for (let at = 0; at < text.length; at += size) {
        socket.write(text.slice(at, at + size))
        if (size < 100 && at % 50 === 0) await new Promise(setImmediate)
      }
      expect(targetsIn(await said), `in pieces of ${size}`).toEqual(many(8).slice(1))
    }
  })

  it('are answered if the client has ended its side', async () => {
    const { listener } = echo()
    const { open } = await listening(listener)
    const socket = await open()
    socket.end(
      many(50)
        .map((n) => get(n))
        .join(''),
    )
    expect(targetsIn(await allOf(socket))).toEqual(many(50))
  })

  it('wait until the previous answer is sent: a client that reads nothing has one request in progress', async () => {
    const { begun, listener } = echo('x'.repeat(32 * 1024 * 1024))
    const { open, connections } = await listening(listener)
    const greedy = await open()
    greedy.pause()
    greedy.write(
      many(2_000)
        .map((n) => get(n))
        .join(''),
    )
    await once(connections.server, 'request')
    // Other clients are answered meanwhile; each answer is a round in which the greedy one's next could begin.
    for (let n = 1; n <= 3; n++) {
      const polite = await open(`GET /polite HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
      expect((await allOf(polite)).length).toBeGreaterThan(32 * 1024 * 1024)
    }
    expect(begun).toEqual(['/0', '/polite', '/polite', '/polite'])
    greedy.destroy()
  })
})
