import { describe, expect, it } from 'vitest'
import { createTenantKey } from '../../../src/access/operations/create-tenant-key'
import { createToken } from '../../../src/access/operations/create-token'
import {
  type AccessPolicy,
  describeAccessPolicy,
  inspectAccess,
  isLocalTrusted,
  requireSafeAccessPolicy,
} from '../../../src/access/services/access-policy'
import type { JwtSettings } from '../../../src/access/services/jwt-issuer'
import { suggestCommand } from '../../../src/kernel'
import { openAccessOffice } from '../access-fixtures'

const usual: AccessPolicy = {
  host: '127.0.0.1',
  port: 4317,
  socket: null,
  allowedHosts: [],
  local: true,
  jwt: null,
  oidc: null,
}
const beyond: AccessPolicy = { ...usual, host: '0.0.0.0' }
const jwt: JwtSettings = {
  issuer: 'https://issuer.example',
  audience: 'studio',
  jwksUrl: 'https://issuer.example/keys',
  publicKeyFile: null,
  secretFile: null,
}

describe('a service that is reachable from other machines', () => {
  it.each([
    ['every interface', beyond],
    ['every interface, IPv6', { ...usual, host: '::' }],
    ['an address of the network', { ...usual, host: '192.168.1.5' }],
    ['a name', { ...usual, host: 'docks.example' }],
    ['a Unix socket', { ...usual, socket: '/run/studio.sock' }],
  ])('does not start without a credential: %s', async (_, policy) => {
    const office = await openAccessOffice()
    const start = () => requireSafeAccessPolicy(policy, office.db, office.clock.now())
    await expect(start()).rejects.toMatchObject({
      code: 'invalid',
      hint: expect.arrayContaining([
        suggestCommand('tokens.create', { name: '<name>' }),
        '; or stay on this machine: --host 127.0.0.1',
      ]),
    })
    await office.run(createToken, { name: 'old', expires: '1h' })
    await start()
    office.clock.set('2026-11-16T15:00:00Z')
    await expect(start()).rejects.toThrow(/none is configured/)
    await office.run(createTenantKey, {})
    await start()
  })

  it('starts if an issuer is configured', async () => {
    const office = await openAccessOffice()
    await requireSafeAccessPolicy({ ...beyond, jwt }, office.db, office.clock.now())
  })

  it.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost'])('does not include %s', async (host) => {
    const office = await openAccessOffice()
    await requireSafeAccessPolicy({ ...usual, host }, office.db, office.clock.now())
    expect(isLocalTrusted({ ...usual, host })).toBe(true)
    expect(isLocalTrusted({ ...usual, host, local: false })).toBe(false)
  })
})

describe('the access policy in words', () => {
  it('lists the callers and their credentials', () => {
    expect(describeAccessPolicy(usual, { withCommands: true })[0]).toMatch(/callers on this machine need no credential/)
    for (const policy of [{ ...usual, local: false }, beyond, { ...usual, socket: '/x' }])
      expect(describeAccessPolicy(policy, { withCommands: false })[0]).toMatch(/every call needs a token/)
    expect(describeAccessPolicy({ ...usual, jwt }, { withCommands: false })[0]).toContain('https://issuer.example')
  })

  it('is checked by the doctor', async () => {
    const office = await openAccessOffice()
    const found = async (policy: AccessPolicy) => inspectAccess(policy, office.db, office.clock.now())
    expect((await found(usual)).map(({ level }) => level)).toEqual(['ok', 'ok'])
    expect(await found(beyond)).toContainEqual({
      about: 'access',
      level: 'problem',
      message: expect.stringContaining('0.0.0.0'),
      fix: expect.arrayContaining([suggestCommand('tokens.create', { name: '<name>' })]),
    })
    expect(await found(beyond)).toContainEqual(
      expect.objectContaining({ level: 'warning', message: expect.stringContaining('unencrypted') }),
    )
    expect(await found({ ...usual, jwt: { ...jwt, audience: null } })).toContainEqual(
      expect.objectContaining({ level: 'problem', message: expect.stringContaining('audience') }),
    )
    await office.run(createToken, { name: 'soon', expires: '6d' })
    await office.run(createToken, { name: 'later', expires: '8d' })
    const warnings = (await found(usual)).filter(({ level }) => level === 'warning')
    expect(warnings).toMatchObject([{ message: expect.stringContaining('soon') }])
  })
})
