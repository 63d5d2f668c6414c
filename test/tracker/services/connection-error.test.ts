import { describe, expect, it } from 'vitest'
import { createConnectionError } from '../../../src/tracker/services/requests/tracker-error'

const address = { base: 'https://tracker.example/works', label: 'tracker.example/works' }

const failure = {
  address,
  addressSetting: 'trackers.gh.url',
  otherOrigin: null,
  proxy: null,
  hasResponseStarted: false,
}

function errorFor(code: string, changes: Partial<Parameters<typeof createConnectionError>[1]> = {}) {
  return createConnectionError(Object.assign(new Error(`raw ${code}`), { code }), { ...failure, ...changes })
}

describe('a request that was not sent', () => {
  it.each([
    ['ENOTFOUND', 'tracker_unavailable'],
    ['EAI_AGAIN', 'tracker_unavailable'],
    ['ECONNREFUSED', 'tracker_unavailable'],
    ['EHOSTUNREACH', 'tracker_unavailable'],
    ['ENETUNREACH', 'tracker_unavailable'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'tracker_unavailable'],
    ['CERT_HAS_EXPIRED', 'tracker_unavailable'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tracker_unavailable'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tracker_unavailable'],
    ['UND_ERR_CONNECT_TIMEOUT', 'tracker_timeout'],
  ])('has no effect, and is not transient: %s', (code, expected) => {
    expect(errorFor(code)).toMatchObject({ code: expected, effect: 'none', isTransient: false })
  })
})

describe('a request that may have been received', () => {
  it.each([
    ['ECONNRESET', 'tracker_unavailable', true],
    ['UND_ERR_SOCKET', 'tracker_unavailable', true],
    ['EPIPE', 'tracker_unavailable', true],
    ['UND_ERR_HEADERS_TIMEOUT', 'tracker_timeout', false],
    ['UND_ERR_BODY_TIMEOUT', 'tracker_timeout', false],
    ['ETIMEDOUT', 'tracker_timeout', false],
    ['anything else', 'tracker_unavailable', true],
  ])('has an unknown effect: %s', (code, expected, isTransient) => {
    expect(errorFor(code)).toMatchObject({ code: expected, effect: 'unknown', isTransient })
  })

  it('has another message after the response has started', () => {
    expect(errorFor('UND_ERR_SOCKET', { hasResponseStarted: true })).toMatchObject({
      code: 'tracker_answer',
      effect: 'unknown',
      isTransient: true,
    })
  })
})

describe('the message of a connection error', () => {
  it('contains the address and its setting, and not the raw error', () => {
    const fault = errorFor('ECONNREFUSED')
    expect(fault.message).not.toContain('raw')
    expect(fault.hint).toBe('The address is https://tracker.example/works, from the setting trackers.gh.url.')
  })

  it('names another server of the tracker, and the proxy for it', () => {
    const otherOrigin = 'https://files.example:8443'
    expect(errorFor('ECONNREFUSED', { otherOrigin })).toMatchObject({
      message:
        'The server files.example:8443 of the tracker tracker.example/works cannot be reached: connection refused.',
      hint: 'The address of that server is https://files.example:8443. If a firewall blocks it, allow that address too.',
    })
    expect(errorFor('ECONNREFUSED', { otherOrigin, proxy: 'proxy.example:3128' }).hint).toBe(
      'The address of that server is https://files.example:8443, through the proxy proxy.example:3128. HTTPS_PROXY or HTTP_PROXY sets the proxy, NO_PROXY the exceptions.',
    )
  })

  it('has a hint about certificates if one is not trusted', () => {
    expect(errorFor('SELF_SIGNED_CERT_IN_CHAIN').hint).toContain('NODE_EXTRA_CA_CERTS')
  })

  it('comes from the first of several attempts, or from the cause of the error', () => {
    const refused = Object.assign(new Error('x'), { code: 'ECONNREFUSED' })
    for (const error of [new AggregateError([refused]), new TypeError('fetch failed', { cause: refused })]) {
      expect(createConnectionError(error, failure)).toMatchObject({ effect: 'none' })
    }
  })
})
