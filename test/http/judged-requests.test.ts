import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createJudge, createProxyCheck } from '../../src/http/call'

const listener = {
  address: '127.0.0.1',
  port: 4317,
  allowedHosts: [],
  authAlways: false,
  isTrustedProxy: createProxyCheck(['127.0.0.1']),
}
const header = fc.constantFrom(
  ['Host', 'localhost:4317'],
  ['host', 'localhost:4317'],
  ['Host', 'evil.example'],
  ['Origin', 'http://localhost:4317'],
  ['Origin', 'https://evil.example'],
  ['X-Forwarded-For', '192.0.2.7'],
  ['Sec-Fetch-Site', 'cross-site'],
  ['X-Request-Id', 'given'],
  ['Accept', 'x'.repeat(3_000)],
)
interface Sent {
  method: string
  url: string
  headers: readonly (readonly string[])[]
}

const request: fc.Arbitrary<Sent> = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'POST'),
  url: fc.constantFrom('/api/health', '/api/health?a=1', 'http://evil.example/api/health'),
  headers: fc.array(header, { maxLength: 3 }),
})

function incoming(socket: Socket, { method, url, headers }: Sent) {
  const message = new IncomingMessage(socket)
  const rawHeaders = [...['Host', 'localhost:4317'], ...headers.flat()]
  Object.assign(message, { method, url, rawHeaders, httpVersionMajor: 1, httpVersionMinor: 1 })
  Object.assign(message.headers, Object.fromEntries(headers.map(([name, value]) => [name!.toLowerCase(), value])))
  return message
}

/** A socket of a caller on this machine. */
function localSocket(): Socket {
  return Object.defineProperty(new Socket(), 'remoteAddress', { value: '127.0.0.1' })
}

it('a request is judged by itself, whatever its connection sent before', () => {
  fc.assert(
    fc.property(fc.array(request, { maxLength: 12 }), (requests) => {
      const judge = createJudge(listener, ({ trust, url }) => `${trust.verdict} ${url}`)
      const shared = localSocket()
      // Each twice, because a request that repeats the one before is not judged again.
      for (const one of requests.flatMap((each) => [each, each]))
        expect(judge(incoming(shared, one))).toEqual(judge(incoming(localSocket(), one)))
    }),
  )
})

it('a request with credentials is not remembered', () => {
  let judgedTimes = 0
  const judge = createJudge(listener, () => {
    judgedTimes += 1
    return null
  })
  const socket = localSocket()
  const one = { method: 'GET', url: '/api/health', headers: [['X-Api-Key', 'studio_key_1']] }
  judge(incoming(socket, one))
  judge(incoming(socket, one))
  expect(judgedTimes).toBe(2)
})
