import { describe, expect, it } from 'vitest'
import { type CallFacts, judgeLocalTrust } from '../../../src/access/rules/local-trust'

/** A request of a program on this machine. */
const plain: CallFacts = {
  listenerAddress: '127.0.0.1',
  listenerPort: 4317,
  peerAddress: '127.0.0.1',
  hosts: ['127.0.0.1:4317'],
  target: '/api/stories/saved',
  method: 'GET',
  headers: { accept: '*/*' },
  allowedHosts: [],
  authAlways: false,
}

const json = { 'content-type': 'application/json', 'content-length': '2' }
const ours = { origin: 'http://127.0.0.1:4317' }

const judge = (changes: Partial<CallFacts>) => judgeLocalTrust({ ...plain, ...changes }).verdict

/** Each attack, and a harmless request that differs from it in one property. */
const pairs: [string, 'remote' | 'refused', Partial<CallFacts>, Partial<CallFacts>][] = [
  // 1. the listener
  ['a listener on every interface', 'remote', { listenerAddress: '0.0.0.0' }, { listenerAddress: '127.0.0.1' }],
  ['a listener on every interface, IPv6', 'remote', { listenerAddress: '::' }, { listenerAddress: '::1' }],
  ['a listener on the network', 'remote', { listenerAddress: '192.168.1.5' }, { listenerAddress: '127.8.8.8' }],
  ['a listener that is not known', 'remote', { listenerAddress: undefined }, {}],
  // 2. the peer
  ['a peer on the network', 'remote', { peerAddress: '192.168.1.9' }, { peerAddress: '127.0.0.2' }],
  ['a peer on the network, IPv6', 'remote', { peerAddress: 'fe80::1' }, { peerAddress: '::1' }],
  ['a mapped peer on the network', 'remote', { peerAddress: '::ffff:10.0.0.1' }, { peerAddress: '::ffff:127.0.0.1' }],
  [
    'a peer that only looks like loopback',
    'remote',
    { peerAddress: '127.0.0.1.evil' },
    { peerAddress: '127.255.255.255' },
  ],
  ['an octet beyond a byte', 'remote', { peerAddress: '127.0.0.256' }, { peerAddress: '127.0.0.255' }],
  ['a peer that has gone', 'remote', { peerAddress: undefined }, {}],
  // 3. the Host
  ['a rebound name', 'refused', { hosts: ['evil.example:4317'] }, { hosts: ['localhost:4317'] }],
  ['a name that begins as ours', 'refused', { hosts: ['localhost.evil.example:4317'] }, { hosts: ['LOCALHOST:4317'] }],
  ['a name with a user', 'refused', { hosts: ['localhost:4317@evil.example'] }, { hosts: ['[::1]:4317'] }],
  ['a name with a dot at its end', 'refused', { hosts: ['localhost.:4317'] }, {}],
  ['another way to write the address', 'refused', { hosts: ['127.1:4317'] }, {}],
  ['another loopback address', 'refused', { hosts: ['127.0.0.2:4317'] }, {}],
  ['the network address', 'refused', { hosts: ['0.0.0.0:4317'] }, {}],
  ['another port', 'refused', { hosts: ['localhost:4318'] }, {}],
  ['no port', 'refused', { hosts: ['localhost'] }, { hosts: ['localhost'], listenerPort: 80 }],
  ['an empty port', 'refused', { hosts: ['localhost:'] }, {}],
  ['a port with a zero before it', 'refused', { hosts: ['localhost:04317'] }, {}],
  ['no Host', 'refused', { hosts: [] }, {}],
  ['an empty Host', 'refused', { hosts: [''] }, {}],
  ['two Hosts', 'refused', { hosts: ['localhost:4317', 'evil.example'] }, {}],
  ['two Hosts that are the same', 'refused', { hosts: ['localhost:4317', 'localhost:4317'] }, {}],
  [
    'an absolute target of another name',
    'refused',
    { target: 'http://evil.example/api/health' },
    { target: 'http://localhost:4317/api/health' },
  ],
  ['an absolute target with a user', 'refused', { target: 'http://localhost:4317@evil.example/' }, {}],
  ['an absolute target of another scheme', 'refused', { target: 'file:///etc/passwd' }, {}],
  ['the target of a tunnel', 'refused', { target: 'evil.example:443' }, { method: 'OPTIONS', target: '*' }],
  // 4. proxies
  ...[
    'Forwarded',
    'X-Forwarded-For',
    'x-forwarded-host',
    'X-Forwarded',
    'X-Real-IP',
    'Via',
    'CF-Connecting-IP',
    'cf-ray',
  ].map((header): [string, 'remote', Partial<CallFacts>, Partial<CallFacts>] => [
    `the header ${header}`,
    'remote',
    { headers: { [header]: '127.0.0.1' } },
    { headers: { [`not-${header}`]: '127.0.0.1' } },
  ]),
  // 5. the Origin
  ['a page of another name', 'refused', { headers: { origin: 'http://evil.example' } }, { headers: ours }],
  ['a page without an origin of its own', 'refused', { headers: { origin: 'null' } }, { headers: {} }],
  ['a page of another port', 'refused', { headers: { origin: 'http://127.0.0.1:3000' } }, { headers: ours }],
  [
    'a page of another name for this machine',
    'refused',
    { headers: { origin: 'http://localhost:4317' } },
    { headers: ours },
  ],
  ['a page of another scheme', 'refused', { headers: { origin: 'https://127.0.0.1:4317' } }, { headers: ours }],
  [
    'a page with a longer origin',
    'refused',
    { headers: { origin: 'http://127.0.0.1:4317.evil.example' } },
    { headers: ours },
  ],
  ['an empty Origin', 'refused', { headers: { origin: '' } }, { headers: {} }],
  [
    'two Origins',
    'refused',
    { headers: { origin: [ours.origin, ours.origin] } },
    { headers: { origin: [ours.origin] } },
  ],
  [
    'an Origin in other letters',
    'refused',
    { headers: { ORIGIN: 'http://evil.example' } },
    { headers: { ORIGIN: ours.origin } },
  ],
  // 6. the Sec-Fetch-Site header
  [
    'a page of another site',
    'remote',
    { headers: { 'sec-fetch-site': 'cross-site' } },
    { headers: { 'sec-fetch-site': 'same-origin' } },
  ],
  [
    'a page of the same site',
    'remote',
    { headers: { 'sec-fetch-site': 'same-site' } },
    { headers: { 'sec-fetch-site': 'none' } },
  ],
  // 7. changes
  [
    'a form',
    'remote',
    {
      method: 'POST',
      headers: { ...ours, 'content-type': 'application/x-www-form-urlencoded', 'content-length': '9' },
    },
    { method: 'POST', headers: { ...ours, ...json } },
  ],
  [
    'text that is JSON',
    'remote',
    { method: 'POST', headers: { 'content-type': 'text/plain', 'content-length': '2' } },
    { method: 'POST', headers: { 'content-type': 'application/json; charset=utf-8', 'content-length': '2' } },
  ],
  [
    'a type that only begins as JSON',
    'remote',
    { method: 'POST', headers: { 'content-type': 'application/jsonx', 'content-length': '2' } },
    { method: 'POST', headers: { 'content-type': 'Application/JSON', 'content-length': '2' } },
  ],
  [
    'a body without a type',
    'remote',
    { method: 'POST', headers: { 'content-length': '2' } },
    { method: 'POST', headers: { 'content-length': '0' } },
  ],
  [
    'a body of unknown length',
    'remote',
    { method: 'PUT', headers: { 'transfer-encoding': 'chunked' } },
    { method: 'PUT' },
  ],
  ["a page's change without a body", 'remote', { method: 'DELETE', headers: ours }, { method: 'DELETE', headers: {} }],
  [
    'a method in small letters',
    'remote',
    { method: 'post', headers: { 'content-length': '2' } },
    { method: 'get', headers: {} },
  ],
  // 8. a Unix socket and the names of a proxy
  [
    'the name of a proxy',
    'remote',
    { allowedHosts: ['docks.example'], hosts: ['docks.example'] },
    { allowedHosts: ['docks.example'] },
  ],
  [
    'the name of another, where one is allowed',
    'refused',
    { allowedHosts: ['docks.example'], hosts: ['evil.example'] },
    { allowedHosts: ['docks.example'] },
  ],
  [
    'a target under the name of a proxy',
    'remote',
    { allowedHosts: ['docks.example'], target: 'http://docks.example/api/health' },
    { allowedHosts: ['docks.example'], target: 'http://localhost:4317/api/health' },
  ],
  // 9. the setting
  ['a server that requires a credential from everyone', 'remote', { authAlways: true }, { authAlways: false }],
]

describe('local trust', () => {
  it.each(pairs)('is not given to %s, which is %s', (_, verdict, attack, control) => {
    expect(judge(attack)).toBe(verdict)
    expect(judge(control)).toBe('local')
  })

  it('refuses a wrong Host before it asks for a credential', () => {
    expect(judge({ authAlways: true, hosts: ['evil.example'] })).toBe('refused')
    expect(judge({ peerAddress: '10.0.0.1', hosts: ['evil.example'] })).toBe('refused')
  })

  it('explains the reason in a sentence', () => {
    expect(judgeLocalTrust({ ...plain, hosts: ['evil.example'] })).toEqual({
      verdict: 'refused',
      reason: 'The Host header does not name this server.',
    })
  })

  describe('on a Unix socket', () => {
    const socket = { listenerAddress: undefined, peerAddress: undefined, hosts: ['localhost'] }

    it('is given to no caller', () => {
      expect(judge(socket)).toBe('remote')
      expect(judge({ ...socket, headers: { origin: 'https://evil.example' } })).toBe('refused')
    })
  })

  describe('on an address of the network', () => {
    const open = { listenerAddress: '0.0.0.0', hosts: ['docks.example'], peerAddress: '10.0.0.1' }

    it('requires a credential under every host name', () => {
      expect(judge(open)).toBe('remote')
      expect(judge({ ...open, hosts: ['localhost:4317'], peerAddress: '127.0.0.1' })).toBe('remote')
    })

    it('refuses web pages of other origins', () => {
      expect(judge({ ...open, headers: { origin: 'https://docks.example' } })).toBe('remote')
      expect(judge({ ...open, headers: { origin: 'https://evil.example' } })).toBe('refused')
      expect(judge({ ...open, headers: { origin: 'null' } })).toBe('refused')
      expect(judge({ ...open, hosts: ['docks.example', 'evil.example'] })).toBe('refused')
    })
  })
})
