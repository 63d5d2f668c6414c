import { describe, expect, it } from 'vitest'
import { readAttemptCookie, readSessionCookie } from '../../src/console/sign-in/session-cookie'

const own = `studio_ses_${'o'.repeat(36)}`
const foreign = `studio_ses_${'f'.repeat(36)}`

describe('a cookie at an address of TLS', () => {
  it('counts only if this host has set it, because another host of the domain can set any other', () => {
    const isSecure = true
    expect(readSessionCookie({ cookie: `studio_session=${foreign}` }, { isSecure })).toBeNull()
    expect(readAttemptCookie({ cookie: `studio_sign_in=${'a'.repeat(40)}` }, { isSecure })).toBeNull()
    const both = { cookie: `studio_session=${foreign}; __Host-studio_session=${own}` }
    expect(readSessionCookie(both, { isSecure })).toBe(own)
  })

  it('is preferred where an address may be without TLS', () => {
    const both = { cookie: `studio_session=${foreign}; __Host-studio_session=${own}` }
    expect(readSessionCookie(both, { isSecure: false })).toBe(own)
    expect(readSessionCookie({ cookie: `studio_session=${own}` }, { isSecure: false })).toBe(own)
  })
})
