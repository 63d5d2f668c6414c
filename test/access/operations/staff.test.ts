import { describe, expect, it } from 'vitest'
import { addMember } from '../../../src/access/operations/add-member'
import { createTenant } from '../../../src/access/operations/create-tenant'
import { createTenantKey } from '../../../src/access/operations/create-tenant-key'
import { listSessions } from '../../../src/access/operations/list-sessions'
import { listStaff } from '../../../src/access/operations/list-staff'
import { removeMember } from '../../../src/access/operations/remove-member'
import { updateMember } from '../../../src/access/operations/update-member'
import {
  actAsMember,
  createMailedLink,
  openSession,
  redeemSessionLink,
  verifySession,
} from '../../../src/access/services/console-sessions'
import { verifyTenantKey } from '../../../src/access/services/verify-credential'
import { type DockRole, dockRoles } from '../../../src/kernel'
import { dockCaller } from '../../dock-caller'
import { openAccessOffice } from '../access-fixtures'

const email = 'ana@example.com'
const browser = { address: '192.0.2.7', userAgent: 'Firefox', replaces: null }

/** The tenants acme and other. An admin of acme adds its staff. */
async function open() {
  const office = await openAccessOffice()
  const acme = await office.run(createTenant, { name: 'acme' })
  const other = await office.run(createTenant, { name: 'other' })
  const admin = office.as(dockCaller({ tenantId: acme.id, role: 'admin' }))
  const add = (input: object = {}) =>
    office.run(addMember, { email: 'Ana@Example.com', name: 'Ana Diaz', role: 'clerk', ...input }, admin)
  const codeOf = async (...call: Parameters<typeof office.refusal>) => (await office.refusal(...call)).code
  const link = (name = 'Ana Diaz') =>
    office.db.write((tx) => createMailedLink(office.as({ kind: 'anonymous' }), tx, { email, name, role: null }))
  const ctx = office.as({ kind: 'anonymous' })
  const signIn = async (replaces: string | null = null) =>
    (await redeemSessionLink(ctx, (await link()).secret, { ...browser, replaces }))!
  const find = (secret: string) => verifySession(office.db, secret, office.clock.now())
  return { ...office, acme, other, admin, add, codeOf, link, signIn, find, ctx }
}

describe('a member of the staff', () => {
  it('is added once, in any letter case, and listed by address', async () => {
    const { add, run, refusal, admin } = await open()
    const ana = await add()
    expect(ana).toMatchObject({ tenant: 'acme', email, name: 'Ana Diaz', role: 'clerk' })
    expect(await refusal(addMember, { email: 'ANA@example.com' }, admin)).toMatchObject({ code: 'conflict' })
    expect(await add({ email: 'abe@example.com', name: undefined, role: undefined })).toMatchObject({
      name: 'abe@example.com',
      role: 'viewer',
    })
    expect((await run(listStaff, {}, admin)).map((each) => each.email)).toEqual(['abe@example.com', email])
    expect(await run(listStaff, { tenant: 'other' })).toEqual([])
  })

  it('is changed in what the call names alone, of which there must be something', async () => {
    const { add, run, codeOf, admin } = await open()
    await add()
    expect(await run(updateMember, { email, name: 'Ana' }, admin)).toMatchObject({ name: 'Ana', role: 'clerk' })
    expect(await run(updateMember, { email, role: 'gate' }, admin)).toMatchObject({ name: 'Ana', role: 'gate' })
    expect(await codeOf(updateMember, { email }, admin)).toBe('invalid')
  })

  it('of another tenant is not found, and can be added here too', async () => {
    const { add, run, refusal, codeOf, other, admin } = await open()
    await add()
    const foreign = { ...admin, actor: dockCaller({ tenantId: other.id, role: 'admin' }) }
    const unknown = await refusal(removeMember, { email: 'no@example.com' }, foreign)
    const known = await refusal(removeMember, { email }, foreign)
    expect(known.message.replace(email, '')).toBe(unknown.message.replace('no@example.com', ''))
    expect(await codeOf(updateMember, { email, role: 'viewer' }, foreign)).toBe('not_found')
    expect(await codeOf(addMember, { email: 'lee@example.com', tenant: 'acme' }, foreign)).toBe('not_found')
    expect(await codeOf(listStaff, { tenant: 'acme' }, foreign)).toBe('not_found')
    expect(await codeOf(removeMember, { email, tenant: 'acme' }, foreign)).toBe('not_found')
    expect(await run(addMember, { email, role: 'viewer' }, foreign)).toMatchObject({ tenant: 'other' })
  })

  it.each([addMember, listStaff, updateMember, removeMember])('$id is for admins', async (op) => {
    const { acme, as, codeOf } = await open()
    for (const role of dockRoles.filter((each) => each !== 'admin'))
      expect(await codeOf(op, {}, as(dockCaller({ tenantId: acme.id, role })))).toBe('forbidden')
    expect(await codeOf(op, {}, as({ kind: 'local' }))).toBe('unauthenticated')
  })

  it('is not removed or changed as the only admin, except at the terminal', async () => {
    const { add, run, codeOf, admin } = await open()
    await add({ role: 'admin' })
    expect(await codeOf(removeMember, { email }, admin)).toBe('conflict')
    expect(await codeOf(updateMember, { email, role: 'manager' }, admin)).toBe('conflict')
    await run(updateMember, { email, name: 'Ana' }, admin)
    await add({ email: 'abe@example.com', role: 'admin' })
    await run(updateMember, { email, role: 'manager' }, admin)
    expect(await codeOf(removeMember, { email: 'abe@example.com' }, admin)).toBe('conflict')
    await run(removeMember, { email: 'abe@example.com', tenant: 'acme' })
  })

  it('stays an admin if two admins remove each other together', async () => {
    const { add, run, admin } = await open()
    await add({ role: 'admin' })
    await add({ email: 'abe@example.com', role: 'admin' })
    const both = await Promise.allSettled(
      [email, 'abe@example.com'].map((each) => run(removeMember, { email: each }, admin)),
    )
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await run(listStaff, {}, admin)).toHaveLength(1)
  })
})

describe('a session of a member', () => {
  it('acts for the tenant with the present role and name', async () => {
    const { add, run, signIn, find, acme, admin } = await open()
    const { id } = await add()
    const secret = await signIn()
    const caller = (name: string, role: DockRole) =>
      dockCaller({ tenantId: acme.id, role, credential: { kind: 'member', id, name } })
    expect(await find(secret)).toMatchObject({
      user: { role: null, personId: email },
      dock: caller('Ana Diaz', 'clerk'),
    })
    await run(updateMember, { email, role: 'gate', name: 'Ana' }, admin)
    expect((await find(secret))!.dock).toEqual(caller('Ana', 'gate'))
    expect(await run(listSessions, {})).toMatchObject([{ name: 'Ana Diaz', tenant: 'acme' }])
  })

  it('ends with the last membership, and does not come back if the address is added again', async () => {
    const { add, run, link, signIn, find, ctx, clock, admin } = await open()
    await add()
    const [unused, secret] = [await link(), await signIn()]
    await run(removeMember, { email }, admin)
    expect(await find(secret)).toBe(null)
    clock.set('2026-11-16T14:05:00Z')
    await add()
    expect(await find(secret)).toBe(null)
    const late = await redeemSessionLink(ctx, unused.secret, browser)
    expect(late && (await find(late))).toBe(null)
    expect((await find(await signIn()))!.dock).toMatchObject({ role: 'clerk' })
  })

  it('acts for one of several tenants, and never for another one by itself', async () => {
    const { add, run, signIn, find, db, clock, acme, other, admin } = await open()
    await add()
    clock.set('2026-11-16T14:01:00Z')
    const second = await run(addMember, { email, role: 'manager', tenant: 'other' })
    const secret = await signIn()
    const first = (await find(secret))!
    expect([first.dock!.tenantId, first.memberships.map(({ tenant }) => tenant)]).toEqual([acme.id, ['acme', 'other']])
    await run(removeMember, { email }, admin)
    expect(await find(secret)).toMatchObject({ dock: null, memberships: [{ tenant: 'other' }] })
    expect(await actAsMember(db, (await find(secret))!, first.memberships[0]!.id)).toBe(false)
    expect(await actAsMember(db, (await find(secret))!, second.id)).toBe(true)
    expect(await find(secret)).toMatchObject({ dock: { tenantId: other.id, role: 'manager' } })
  })

  it('acts with a dock key that was given after it, and with the membership if that came last', async () => {
    const { add, run, signIn, find, db, clock, ctx } = await open()
    await add()
    const { key } = await run(createTenantKey, { tenant: 'other', role: 'viewer' })
    const found = (await verifyTenantKey(db, key, clock.now()))!
    const withKey = await openSession(ctx, { dock: found }, { ...browser, replaces: await signIn() })
    expect((await find(withKey))!.dock).toMatchObject({ role: 'viewer', credential: { kind: 'key' } })
    expect((await find(await signIn(withKey)))!.dock).toMatchObject({ role: 'clerk', credential: { kind: 'member' } })
  })

  it('loses the membership if the user signs in as someone else', async () => {
    const { add, signIn, find, ctx } = await open()
    await add()
    const user = { kind: 'user', name: 'ci', role: 'reader', tokenId: null } as const
    const secret = await openSession(ctx, { user, expiresAt: null }, { ...browser, replaces: await signIn() })
    expect(await find(secret)).toMatchObject({ user: { name: 'ci' }, dock: null, memberships: [] })
  })
})
