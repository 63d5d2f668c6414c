import { describe, expect, it } from 'vitest'
import { createProxyCheck, findClientAddress } from '../../src/http/call'

const trusted = createProxyCheck(['127.0.0.1', '10.0.0.0/8', 'fd00::/8'])

describe('the address of a client', () => {
  it.each([
    ['203.0.113.7', '198.51.100.1', '203.0.113.7', 'the peer is no trusted proxy'],
    ['127.0.0.1', undefined, '127.0.0.1', 'a proxy without the header'],
    ['127.0.0.1', '198.51.100.1', '198.51.100.1', 'one proxy'],
    ['::ffff:127.0.0.1', '198.51.100.1', '198.51.100.1', 'the same proxy in the form of IPv6'],
    ['fd00::5', ' [2001:db8::1]:4711 , 10.1.2.3:80', '2001:db8::1', 'two proxies, with ports'],
    ['127.0.0.1', '192.0.2.66, 198.51.100.1', '198.51.100.1', 'addresses that the client wrote are ignored'],
    ['127.0.0.1', '192.0.2.66, nonsense', '127.0.0.1', 'text that is not an address is ignored'],
    ['127.0.0.1', '10.0.0.2, 10.0.0.3', '10.0.0.2', 'only proxies'],
    [undefined, '198.51.100.1', undefined, 'a socket that is not trusted'],
  ])('is, for the peer %s and X-Forwarded-For: %s, %s: %s', (peer, forwarded, client, _why) => {
    expect(findClientAddress(peer, forwarded, trusted)).toBe(client)
  })

  it('is taken from a trusted proxy on the Unix socket', () => {
    expect(findClientAddress(undefined, '198.51.100.1', createProxyCheck(['unix']))).toBe('198.51.100.1')
  })
})
