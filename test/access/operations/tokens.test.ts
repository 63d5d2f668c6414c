import { describe, expect, it } from 'vitest'
import { verifyToken } from '../../../src/access'
import type { AccessTables } from '../../../src/access/migrations'
import { createToken } from '../../../src/access/operations/create-token'
import { listTokens } from '../../../src/access/operations/list-tokens'
import { revokeToken } from '../../../src/access/operations/revoke-token'
import { formatCredential } from '../../../src/access/services/credential'
import { type Role, StudioError } from '../../../src/kernel'
import { type Database, tables } from '../../../src/storage'
import { dockCaller } from '../../dock-caller'
import { type AccessOffice, openAccessOffice } from '../access-fixtures'

const verify = (office: AccessOffice, token: string) => verifyToken(office.db, token, office.clock.now())

describe('a personal access token', () => {
  it('is shown when it is created, and never again', async () => {
    const office = await openAccessOffice()
    const made = await office.run(createToken, { name: 'ci', scopes: ['write', 'read'], expires: '30d' })
    expect(made).toEqual({
      token: expect.stringMatching(/^studio_pat_[0-9A-Za-z]{36}$/),
      id: expect.any(String),
      name: 'ci',
      role: 'publisher',
      scopes: ['read', 'write'],
      prefix: made.token.slice(0, 19),
      createdAt: '2026-11-16T14:00:00.000Z',
      expiresAt: '2026-12-16T14:00:00.000Z',
      lastUsedAt: null,
      revokedAt: null,
    })
    const { token, ...stored } = made
    expect(await office.run(listTokens, {})).toEqual([stored])
    const rows = await office.db.read((tx) => tables<AccessTables>(tx).selectFrom('access_token').selectAll().execute())
    expect(JSON.stringify(rows)).not.toContain(token.slice(19))
  })

  it('authenticates with its name and role until it expires', async () => {
    const office = await openAccessOffice()
    const { id, token } = await office.run(createToken, { name: 'ci', expires: '2026-11-16T15:00:00+00:00' })
    const user = { kind: 'user', name: 'ci', role: 'reader', tokenId: id }
    office.clock.set('2026-11-16T14:59:59.999Z')
    expect(await verify(office, token)).toEqual(user)
    office.clock.set('2026-11-16T15:00:00Z')
    expect(await verify(office, token)).toEqual({ kind: 'bad', reason: expect.stringContaining('expired') })
  })

  it('is invalid after it is revoked', async () => {
    const office = await openAccessOffice()
    const { id, token } = await office.run(createToken, { name: 'ci' })
    const revoked = await office.run(revokeToken, { id })
    expect(await verify(office, token)).toEqual({ kind: 'bad', reason: expect.stringContaining('revoked') })
    office.clock.set('2026-11-17T14:00:00Z')
    expect(await office.run(revokeToken, { id: id.toUpperCase() })).toEqual(revoked)
    const missing = '11111111-1111-1111-1111-111111111111'
    expect((await office.refusal(revokeToken, { id: missing })).code).toBe('not_found')
  })

  it('has its last use stored, at most once a minute', async () => {
    const office = await openAccessOffice()
    const { token } = await office.run(createToken, { name: 'ci' })
    const lastUsed = async () => (await office.run(listTokens, {}))[0]?.lastUsedAt
    await verify(office, token)
    office.clock.set('2026-11-16T14:00:59.999Z')
    await verify(office, token)
    expect(await lastUsed()).toBe('2026-11-16T14:00:00.000Z')
    office.clock.set('2026-11-16T14:01:00Z')
    await verify(office, token)
    expect(await lastUsed()).toBe('2026-11-16T14:01:00.000Z')
  })

  it('is created by the terminal and by administrators only', async () => {
    const office = await openAccessOffice()
    const user = (role: Role) => office.as({ kind: 'user', name: 'ada', role, tokenId: null })
    await office.run(createToken, { name: 'by admin' }, user('admin'))
    for (const op of [createToken, listTokens, revokeToken]) {
      expect((await office.refusal(op, {}, user('publisher'))).code).toBe('forbidden')
      expect((await office.refusal(op, {}, office.as({ kind: 'local' }))).code).toBe('unauthenticated')
      expect((await office.refusal(op, {}, office.as(dockCaller({ role: 'manager' })))).code).toBe('forbidden')
    }
  })

  it.each([
    [{}, 'name'],
    [{ name: ' ' }, 'name'],
    [{ name: 'a\u001b[2J' }, 'name'],
    [{ name: 'a', scopes: [] }, 'scopes'],
    [{ name: 'a', scopes: ['root'] }, 'scopes.0'],
    [{ name: 'a', role: 'owner' }, 'role'],
    [{ name: 'a', role: 'editor', scopes: ['read'] }, 'role'],
    [{ name: 'a', expires: '3x' }, 'expires'],
    [{ name: 'a', expires: '2020-01-01T00:00:00Z' }, 'expires'],
  ])('is refused for %j', async (input, path) => {
    const office = await openAccessOffice()
    const refusal = await office.refusal(createToken, input)
    expect(refusal).toMatchObject({ code: 'invalid', details: [{ path }] })
  })
})

describe('the role of a token', () => {
  it.each([
    [{}, 'reader', ['read']],
    [{ scopes: ['write'] }, 'publisher', ['read', 'write']],
    [{ scopes: ['read', 'admin'] }, 'admin', ['read', 'write', 'admin']],
    [{ role: 'editor' }, 'editor', ['read']],
  ])('of %j is %s', async (given, role, scopes) => {
    const office = await openAccessOffice()
    expect(await office.run(createToken, { name: 'a', ...given })).toMatchObject({ role, scopes })
  })
})

describe('an invalid token', () => {
  const untouchable: Database = {
    read: () => Promise.reject(new Error('the database was read')),
    write: () => Promise.reject(new Error('the database was read')),
    close: async () => {},
  }

  it('is refused by its checksum, without a query', async () => {
    const token = formatCredential('studio_pat_', 'a'.repeat(30))
    for (const one of [
      `${token.slice(0, -1)}~`,
      token.slice(0, -1),
      formatCredential('studio_key_', 'a'.repeat(30)),
      '',
    ])
      expect((await verifyToken(untouchable, one, 0)).kind).toBe('bad')
    await expect(verifyToken(untouchable, token, 0)).rejects.toThrow('the database was read')
  })

  it('is refused if only its public part is correct', async () => {
    const office = await openAccessOffice()
    const { token } = await office.run(createToken, { name: 'ci' })
    const forged = formatCredential('studio_pat_', `${token.slice(11, 19)}${'z'.repeat(22)}`)
    expect((await verify(office, forged)).kind).toBe('bad')
    expect((await verify(office, token)).kind).toBe('user')
  })
})

describe('storing the last use', () => {
  it('ignores a read-only database, and no other error', async () => {
    const office = await openAccessOffice()
    const { token } = await office.run(createToken, { name: 'ci' })
    const failing = (error: Error): Database => ({
      read: (work) => office.db.read(work),
      write: () => Promise.reject(error),
      close: async () => {},
    })
    const readOnly = new StudioError('read_only', 'The folder is read-only.')
    expect((await verifyToken(failing(readOnly), token, office.clock.now())).kind).toBe('user')
    await expect(verifyToken(failing(new Error('broken')), token, office.clock.now())).rejects.toThrow('broken')
  })
})
