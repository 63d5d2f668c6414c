import { describe, expect, it } from 'vitest'
import { createTenant } from '../../../src/access/operations/create-tenant'
import { createTenantKey } from '../../../src/access/operations/create-tenant-key'
import { listTenants } from '../../../src/access/operations/list-tenants'
import { revokeTenantKey } from '../../../src/access/operations/revoke-tenant-key'
import { dockCaller } from '../../dock-caller'
import { openAccessOffice } from '../access-fixtures'

describe('tenants', () => {
  it('are created once and listed by name with the number of their live keys', async () => {
    const office = await openAccessOffice()
    const made = await office.run(createTenant, { name: 'zenith' })
    expect(made).toEqual({
      id: expect.any(String),
      name: 'zenith',
      liveKeys: 0,
      createdAt: '2026-11-16T14:00:00.000Z',
    })
    await office.run(createTenant, { name: 'acme' })
    const { id } = await office.run(createTenantKey, { tenant: 'acme' })
    await office.run(createTenantKey, { tenant: 'acme' })
    await office.run(revokeTenantKey, { id })
    const listed = await office.run(listTenants, {})
    expect(listed.map(({ name, liveKeys }) => [name, liveKeys])).toEqual([
      ['acme', 1],
      ['zenith', 0],
    ])
    expect((await office.refusal(createTenant, { name: 'acme' })).code).toBe('conflict')
  })

  it.each(['', ' ', 'a b', '-a', 'a/b', 'a'.repeat(64)])('are not called %j', async (name) => {
    const office = await openAccessOffice()
    expect((await office.refusal(createTenant, { name })).code).toBe('invalid')
  })

  it.each([createTenant, listTenants])('are for the terminal alone, and have no route: $id', async (op) => {
    const office = await openAccessOffice()
    const input = op === createTenant ? { name: 'a' } : {}
    const key = office.as(dockCaller({ role: 'admin' }))
    expect((await office.refusal(op, input, key)).code).toBe('forbidden')
    expect((await office.refusal(op, input, office.as({ kind: 'local' }))).code).toBe('unauthenticated')
    expect(op.http).toBeUndefined()
  })
})
