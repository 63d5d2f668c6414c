import { describe, expect, it } from 'vitest'
import type { AccessTables } from '../../../src/access/migrations'
import { createScreenLink } from '../../../src/access/operations/create-screen-link'
import { createSessionLink } from '../../../src/access/operations/create-session-link'
import { createToken } from '../../../src/access/operations/create-token'
import { listSessions } from '../../../src/access/operations/list-sessions'
import { revokeSession } from '../../../src/access/operations/revoke-session'
import { openSession, redeemSessionLink, verifySession } from '../../../src/access/services/console-sessions'
import { execute } from '../../../src/kernel'
import { HOUR_MS } from '../../../src/kernel/time'
import { tables } from '../../../src/storage'
import { type AccessOffice, openAccessOffice } from '../access-fixtures'

const terminal = { kind: 'terminal', tenant: 'default' } as const
const browser = { address: '192.0.2.7', userAgent: 'Firefox', replaces: null }
const user = { kind: 'user', name: 'ann', role: 'reader', tokenId: null } as const

const open = (office: AccessOffice, more: object = {}) =>
  openSession(office.as(terminal), { user, expiresAt: null, ...more }, browser)
const isOpen = async (office: AccessOffice, secret: string) =>
  (await verifySession(office.db, secret, office.clock.now())) !== null

describe('a session of the console', () => {
  it('is stored without its secret', async () => {
    const office = await openAccessOffice()
    const secret = await open(office)
    const rows = await office.db.read((tx) =>
      tables<AccessTables>(tx).selectFrom('console_session').selectAll().execute(),
    )
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(secret.slice(19))
    expect(await office.run(listSessions, {})).toEqual([
      expect.objectContaining({
        kind: 'session',
        name: 'ann',
        scopes: ['read'],
        address: '192.0.2.7',
        userAgent: 'Firefox',
      }),
    ])
  })

  it('ends after 12 hours without use, and after a week with it', async () => {
    const office = await openAccessOffice()
    const [idle, used] = [await open(office), await open(office)]
    for (let hours = 8; hours < 7 * 24; hours += 8) {
      office.clock.set(new Date(Date.parse('2026-11-16T14:00:00Z') + hours * HOUR_MS).toISOString())
      expect(await isOpen(office, used)).toBe(true)
    }
    expect(await isOpen(office, idle)).toBe(false)
    office.clock.set('2026-11-23T14:00:00Z')
    expect(await isOpen(office, used)).toBe(false)
  })

  it('of a screen is renewed while it is used, and may look at the docks of its tenant alone', async () => {
    const office = await openAccessOffice()
    const screen = async () => {
      const ctx = { ...office.as(terminal), findPublicUrl: () => null }
      const { link } = await execute(createScreenLink, { name: 'North wall' }, ctx)
      return (await redeemSessionLink(office.as(terminal), link.split('#')[1]!, browser))!
    }
    const [used, off] = [await screen(), await screen()]
    const start = office.clock.now()
    expect(await verifySession(office.db, used, start)).toMatchObject({
      user: { name: 'North wall', role: null },
      dock: { role: 'viewer', carrier: null },
      memberships: [],
      isScreen: true,
    })
    // A screen that is off at night and on weekends comes back by itself.
    for (let days = 3; days < 200; days += 3) {
      office.clock.set(new Date(start + days * 24 * HOUR_MS).toISOString())
      expect([days, await isOpen(office, used)]).toEqual([days, true])
    }
    expect(await isOpen(office, off)).toBe(false)
    const [listed] = await office.run(listSessions, {})
    expect(listed).toMatchObject({ name: 'North wall', isScreen: true, role: null })
    await office.run(revokeSession, { id: listed!.id })
    expect(await isOpen(office, used)).toBe(false)
  })

  it('ends with the token that it was opened with, or with the JWT', async () => {
    const office = await openAccessOffice()
    const { id } = await office.run(createToken, { name: 'ci', expires: '2h' })
    const ofToken = await open(office, { user: { ...user, tokenId: id } })
    const ofJwt = await open(office, { expiresAt: Date.parse('2026-11-16T15:00:00Z') })
    office.clock.set('2026-11-16T15:00:00Z')
    expect([await isOpen(office, ofToken), await isOpen(office, ofJwt)]).toEqual([true, false])
    office.clock.set('2026-11-16T16:00:00Z')
    expect(await isOpen(office, ofToken)).toBe(false)
  })

  it('is opened by a link within ten minutes, once, also when two browsers open it together', async () => {
    const office = await openAccessOffice()
    const link = async () => (await office.run(createSessionLink, {})).path.split('#')[1]!
    const [late, shared] = [await link(), await link()]
    const both = await Promise.all([1, 2].map(() => redeemSessionLink(office.as(terminal), shared, browser)))
    expect(both.filter((secret) => secret !== null)).toHaveLength(1)
    office.clock.set('2026-11-16T14:10:00Z')
    expect(await redeemSessionLink(office.as(terminal), late, browser)).toBeNull()
  })

  it('is revoked by its ID', async () => {
    const office = await openAccessOffice()
    const secret = await open(office)
    const [{ id } = { id: '' }] = await office.run(listSessions, {})
    await office.run(revokeSession, { id })
    expect(await isOpen(office, secret)).toBe(false)
    expect(await office.run(listSessions, {})).toEqual([])
    expect(await office.refusal(revokeSession, { id })).toMatchObject({ code: 'not_found' })
  })

  it.each([createSessionLink, listSessions, revokeSession])('$id is for administrators alone', async (op) => {
    const office = await openAccessOffice()
    expect(await office.refusal(op, {}, office.as({ kind: 'local' }))).toMatchObject({ code: 'unauthenticated' })
  })
})
