import { describe, expect, it } from 'vitest'
import { isPostgresAddress } from '../../../src/storage'
import {
  hasPassword,
  isSameDatabase,
  parsePostgresAddress,
  redactAddress,
  splitHosts,
} from '../../../src/storage/services/database-address'

describe('an address', () => {
  it.each(['postgres://h/db', 'postgresql://h/db', 'POSTGRES://h/db'])('names a server: %s', (address) => {
    expect(isPostgresAddress(address)).toBe(true)
  })

  it.each(['/data/studio.db', 'C:\\studio.db', 'postgres', './postgres/studio.db', 'mysql://h/db'])(
    'names no server: %s',
    (address) => {
      expect(isPostgresAddress(address)).toBe(false)
    },
  )

  it.each([
    ['/data/studio.db', '/data/studio.db'],
    ['postgres://h/db', 'postgres://h/db'],
    ['postgres://user:hunter2@h:5433/db?sslmode=verify-full', 'postgres://h:5433/db'],
    ['postgres://user:hunter2@[::1]:5433/db', 'postgres://[::1]:5433/db'],
    ['postgres:///db?host=/run/postgresql&password=hunter2', 'postgres:///run/postgresql/db'],
    ['postgres://user:hunter2@/db?host=/run/postgresql', 'postgres:///run/postgresql/db'],
    ['postgres://user:hunter%402%2F@h/db', 'postgres://h/db'],
    ['postgres://user:hunter@2@h/db', 'postgres://h/db'],
  ])('%s is shown as %s', (address, shown) => {
    expect(redactAddress(address)).toBe(shown)
  })

  it.each([
    'postgres://user:hun/ter2@h/db',
    'postgres://user:hun?ter2@h/db',
    'postgres://user:hun#ter2@h/db',
    'postgres://user:123/ter2@h/db',
    'postgres://user:123?ter2@h/db',
    'postgres://user:123#ter2@h/db',
  ])('whose password is not percent-encoded is rejected, and shown without any of it: %s', (address) => {
    expect(parsePostgresAddress(address)).toBeNull()
    expect(redactAddress(address)).toBe('postgres://…')
  })

  it.each([
    ['postgres://user:hunter2@h/db', true],
    ['postgres://h/db?password=hunter2', true],
    ['postgres://user@h/db', false],
    ['postgres://h/db', false],
    ['/data/studio.db', false],
  ])('%s contains a password: %s', (address, holds) => {
    expect(hasPassword(address)).toBe(holds)
  })

  it.each([
    ['postgres://u:p@h/db', 'postgresql://u@h/db', true],
    ['postgres://u:p@h/db?password=x', 'postgres://u:q@h/db', true],
    ['postgres://u@h/db', 'postgres://u@h/other', false],
    ['postgres://u@h/db', 'postgres://u@h:5433/db', false],
    ['/data/studio.db', '/data/studio.db', true],
    ['/data/studio.db', '/data/other.db', false],
  ])('%s and %s name the same database: %s', (one, other, same) => {
    expect(isSameDatabase(one, other)).toBe(same)
  })

  it('can list several servers', () => {
    const address = 'postgres://clerk:secret@a:5432,b:5433/docks?target_session_attrs=read-write&sslmode=require'
    expect(splitHosts(address)).toEqual([
      'postgres://clerk:secret@a:5432/docks?sslmode=require',
      'postgres://clerk:secret@b:5433/docks?sslmode=require',
    ])
    expect(splitHosts('postgres://a,b/docks?target_session_attrs=any')).toEqual([
      'postgres://a/docks',
      'postgres://b/docks',
    ])
    expect(splitHosts('postgres://clerk:a,b@one/docks')).toEqual(['postgres://clerk:a,b@one/docks'])
    expect(redactAddress(address)).toBe('postgres://a:5432,b:5433/docks')
    expect(hasPassword(address)).toBe(true)
    expect(isSameDatabase(address, 'postgres://clerk@b:5433,a:5432/docks?sslmode=require')).toBe(true)
    expect(parsePostgresAddress('postgres://a:5432,b:x/docks')).toBeNull()
  })
})
