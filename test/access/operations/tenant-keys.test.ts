import { describe, expect, it } from 'vitest'
import { verifyTenantKey } from '../../../src/access'
import type { AccessTables } from '../../../src/access/migrations'
import { createTenant } from '../../../src/access/operations/create-tenant'
import { createTenantKey } from '../../../src/access/operations/create-tenant-key'
import { listTenantKeys } from '../../../src/access/operations/list-tenant-keys'
import { listTenants } from '../../../src/access/operations/list-tenants'
import { revokeTenantKey } from '../../../src/access/operations/revoke-tenant-key'
import { formatCredential } from '../../../src/access/services/credential'
import { StudioError, suggest } from '../../../src/kernel'
import { type Database, tables } from '../../../src/storage'
import { dockCaller } from '../../dock-caller'
import { type AccessOffice, openAccessOffice } from '../access-fixtures'

const verify = (office: AccessOffice, key: string) => verifyTenantKey(office.db, key, office.clock.now())

describe('a tenant key', () => {
  it('is shown when it is created, and never again', async () => {
    const office = await openAccessOffice()
    const made = await office.run(createTenantKey, { name: 'Acme TMS' })
    expect(made).toEqual({
      key: expect.stringMatching(/^studio_key_[0-9A-Za-z]{36}$/),
      id: expect.any(String),
      tenant: 'default',
      name: 'Acme TMS',
      prefix: made.key.slice(0, 19),
      role: 'clerk',
      carrier: null,
      createdAt: '2026-11-16T14:00:00.000Z',
      lastUsedAt: null,
      revokedAt: null,
    })
    const { key, ...stored } = made
    expect(await office.run(listTenantKeys, {})).toEqual([stored])
    const rows = await office.db.read((tx) => tables<AccessTables>(tx).selectFrom('tenant_key').selectAll().execute())
    expect(JSON.stringify(rows)).not.toContain(key.slice(19))
  })

  it('authenticates its tenant', async () => {
    const office = await openAccessOffice()
    const acme = await office.run(createTenant, { name: 'acme' })
    const { id, key } = await office.run(createTenantKey, { tenant: 'acme' })
    await office.run(createTenantKey, {})
    expect(await verify(office, key)).toEqual({
      kind: 'dock',
      tenantId: acme.id,
      role: 'clerk',
      carrier: null,
      credential: { kind: 'key', id, name: `key ${key.slice(0, 19)}` },
    })
  })

  it('is read once for the calls that arrive while it is read, and again for later ones', async () => {
    const office = await openAccessOffice()
    const { id, key } = await office.run(createTenantKey, {})
    await verify(office, key)
    let reads = 0
    const read: Database['read'] = (work, options) => {
      reads += 1
      return office.db.read(work, options)
    }
    const db = { ...office, db: { ...office.db, read } }
    const found = await Promise.all(Array.from({ length: 20 }, () => verify(db, key)))
    expect(new Set(found.map((each) => each?.credential.id))).toEqual(new Set([id]))
    expect(reads).toBe(2)
    const verifying = verify(db, key)
    await office.run(revokeTenantKey, { id })
    await verifying
    expect(await verify(db, key)).toBeNull()
  })

  it('belongs to the tenant of the settings by default', async () => {
    const office = await openAccessOffice()
    await office.run(createTenant, { name: 'acme' })
    const terminal = office.as({ kind: 'terminal', tenant: 'acme' })
    expect((await office.run(createTenantKey, {}, terminal)).tenant).toBe('acme')
    expect(await office.run(listTenantKeys, {}, terminal)).toHaveLength(1)
    expect(await office.run(listTenantKeys, {})).toEqual([])
  })

  it('creates the default tenant on first use, and no other', async () => {
    const office = await openAccessOffice()
    expect(await office.run(listTenants, {})).toEqual([])
    await office.run(createTenantKey, {})
    expect(await office.run(listTenants, {})).toMatchObject([{ name: 'default', liveKeys: 1 }])
    for (const op of [createTenantKey, listTenantKeys]) {
      expect(await office.refusal(op, { tenant: 'acme' })).toMatchObject({
        code: 'not_found',
        hint: ['Create it: ', suggest('tenants.create', { name: 'acme' })],
      })
    }
  })

  it('can exist beside as many others as the tenant has systems', async () => {
    const office = await openAccessOffice()
    const keys = []
    for (let n = 0; n < 12; n += 1) keys.push(await office.run(createTenantKey, { name: `System ${n}` }))
    for (const { key, name } of keys) expect(await verify(office, key)).toMatchObject({ credential: { name } })
  })

  it('has a role, or the one that a scope stands for', async () => {
    const office = await openAccessOffice()
    const roleOf = async (input: object) => (await office.run(createTenantKey, input)).role
    expect(await roleOf({ role: 'gate' })).toBe('gate')
    expect([
      await roleOf({ scope: 'read' }),
      await roleOf({ scope: 'write' }),
      await roleOf({ scope: 'admin' }),
    ]).toEqual(['viewer', 'manager', 'admin'])
    const carrier = 'Blue Freight'
    expect([await roleOf({ carrier }), await roleOf({ carrier, scope: 'write' })]).toEqual(['clerk', 'clerk'])
    for (const input of [
      { carrier, role: 'manager' },
      { carrier, scope: 'admin' },
      { role: 'clerk', scope: 'write' },
    ])
      expect((await office.refusal(createTenantKey, input)).code).toBe('invalid')
  })

  it('is invalid after it is revoked', async () => {
    const office = await openAccessOffice()
    const { id, key } = await office.run(createTenantKey, {})
    const revoked = await office.run(revokeTenantKey, { id })
    expect(revoked.revokedAt).toBe('2026-11-16T14:00:00.000Z')
    expect(await verify(office, key)).toBeNull()
    office.clock.set('2026-11-17T14:00:00Z')
    expect(await office.run(revokeTenantKey, { id: id.toUpperCase() })).toEqual(revoked)
    const none = '11111111-1111-1111-1111-111111111111'
    expect((await office.refusal(revokeTenantKey, { id: none })).code).toBe('not_found')
  })

  it('has its last use stored, at most once a minute', async () => {
    const office = await openAccessOffice()
    const { key } = await office.run(createTenantKey, {})
    const lastUsed = async () => (await office.run(listTenantKeys, {}))[0]?.lastUsedAt
    await verify(office, key)
    office.clock.set('2026-11-16T14:00:59.999Z')
    await verify(office, key)
    expect(await lastUsed()).toBe('2026-11-16T14:00:00.000Z')
    office.clock.set('2026-11-16T14:01:00Z')
    await verify(office, key)
    expect(await lastUsed()).toBe('2026-11-16T14:01:00.000Z')
  })
})

describe('the keys of a tenant', () => {
  async function officeOfTwo() {
    const office = await openAccessOffice()
    const acme = await office.run(createTenant, { name: 'acme' })
    const other = await office.run(createTenant, { name: 'other' })
    const admin = office.as(dockCaller({ tenantId: acme.id, role: 'admin' }))
    return { office, admin, acme, foreign: await office.run(createTenantKey, { tenant: other.name }) }
  }

  it('are managed by its own admins', async () => {
    const { office, admin } = await officeOfTwo()
    const made = await office.run(createTenantKey, { name: 'Gate tablet', role: 'gate' }, admin)
    expect(made).toMatchObject({ tenant: 'acme', role: 'gate' })
    expect(await office.run(listTenantKeys, { tenant: 'acme' }, admin)).toMatchObject([{ id: made.id }])
    await office.run(revokeTenantKey, { id: made.id }, admin)
    expect(await verify(office, made.key)).toBeNull()
  })

  it('are not found by those of another tenant', async () => {
    const { office, admin, foreign } = await officeOfTwo()
    const codeOf = async (...call: Parameters<typeof office.refusal>) => (await office.refusal(...call)).code
    for (const tenant of ['other', 'nowhere']) {
      const refusal = await office.refusal(createTenantKey, { tenant }, admin)
      expect(refusal).toMatchObject({ code: 'not_found', message: `There is no tenant ${tenant}.` })
      expect(await codeOf(listTenantKeys, { tenant }, admin)).toBe('not_found')
    }
    expect(await codeOf(revokeTenantKey, { id: foreign.id }, admin)).toBe('not_found')
    expect(await verify(office, foreign.key)).not.toBeNull()
  })

  it('are not for roles below', async () => {
    const { office, acme } = await officeOfTwo()
    for (const role of ['viewer', 'gate', 'clerk', 'manager'] as const) {
      const ctx = office.as(dockCaller({ tenantId: acme.id, role }))
      for (const op of [createTenantKey, listTenantKeys, revokeTenantKey])
        expect((await office.refusal(op, {}, ctx)).code).toBe('forbidden')
    }
  })

  it('are for an admin of the service, who names the tenant', async () => {
    const { office, foreign } = await officeOfTwo()
    const admin = office.as({ kind: 'user', name: 'root', role: 'admin', tokenId: 't' })
    expect(await office.run(listTenantKeys, { tenant: 'other' }, admin)).toMatchObject([{ id: foreign.id }])
    expect(await office.refusal(createTenantKey, {}, admin)).toMatchObject({
      code: 'invalid',
      details: [{ path: 'tenant' }],
    })
  })
})

describe('an invalid key', () => {
  const untouchable: Database = {
    read: () => Promise.reject(new Error('the database was read')),
    write: () => Promise.reject(new Error('the database was read')),
    close: async () => {},
  }

  it('is refused by its checksum, without a query', async () => {
    const key = formatCredential('studio_key_', 'a'.repeat(30))
    expect(await verifyTenantKey(untouchable, `${key.slice(0, -1)}~`, 0)).toBeNull()
    expect(await verifyTenantKey(untouchable, formatCredential('studio_pat_', 'a'.repeat(30)), 0)).toBeNull()
    await expect(verifyTenantKey(untouchable, key, 0)).rejects.toThrow('the database was read')
  })

  it('is refused if only its public part is correct', async () => {
    const office = await openAccessOffice()
    const { key } = await office.run(createTenantKey, {})
    const chance = key.slice(11, 41)
    const forged = formatCredential('studio_key_', `${chance.slice(0, 8)}${'z'.repeat(22)}`)
    expect(await verify(office, forged)).toBeNull()
    expect(await verify(office, key)).not.toBeNull()
  })
})

describe('storing the last use', () => {
  const later = Date.parse('2026-11-17T00:00:00Z')

  async function keyOnFailingWrites(error: Error): Promise<{ key: string; db: Database }> {
    const office = await openAccessOffice()
    const { key } = await office.run(createTenantKey, {})
    return {
      key,
      db: { read: (work) => office.db.read(work), write: () => Promise.reject(error), close: async () => {} },
    }
  }

  it('ignores a read-only database', async () => {
    const { key, db } = await keyOnFailingWrites(new StudioError('read_only', 'The folder is read-only.'))
    expect(await verifyTenantKey(db, key, later)).not.toBeNull()
  })

  it('does not hide other errors', async () => {
    const { key, db } = await keyOnFailingWrites(new Error('broken'))
    await expect(verifyTenantKey(db, key, later)).rejects.toThrow('broken')
  })
})
