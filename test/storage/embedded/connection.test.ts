import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { classifyStatement, decodeCommit, encodeCommit } from '../../../src/storage/embedded/connection'

const parameter = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
)

describe('a commit in the log', () => {
  it('returns its statements and their parameters', () => {
    const statement = fc.record({
      sql: fc.constantFrom('insert into a', 'update b', 'delete from c'),
      parameters: fc.array(parameter, { maxLength: 5 }),
    })
    fc.assert(
      fc.property(fc.array(statement, { maxLength: 6 }), fc.nat(), (statements, changes) => {
        const asBound = statements.map(({ sql, parameters }) => ({
          sql,
          parameters: parameters.map((value) => (Object.is(value, -0) ? 0 : value)), // the engine has no negative zero
        }))
        expect(decodeCommit(Buffer.from(encodeCommit({ statements, changes })))).toEqual({
          statements: asBound,
          changes,
        })
      }),
    )
  })

  it('contains no zero byte and no byte that starts a record header', () => {
    fc.assert(
      fc.property(fc.array(parameter), (parameters) => {
        const bytes = Buffer.from(encodeCommit({ statements: [{ sql: 'insert', parameters }], changes: 1 }))
        expect(bytes.includes(0xff)).toBe(false)
        expect(bytes.includes(0)).toBe(false)
      }),
    )
  })

  it('stores a repeated statement once', () => {
    const sql = 'insert into draft values (?)'
    const statements = Array.from({ length: 50 }, (_, i) => ({ sql, parameters: [i] }))
    expect(encodeCommit({ statements, changes: 50 }).split(sql)).toHaveLength(2)
  })
})

describe('a statement', () => {
  it.each([
    ['select * from draft', 'read'],
    ['with d as (select 1) select * from d', 'read'],
    ["with d as (select 1) select replace('a', 'b', 'c') from d", 'read'],
    ['pragma table_info("draft")', 'read'],
    ['insert into "draft" values (?)', 'rows'],
    ['with d as (select 1) update "draft" set "a" = 1', 'rows'],
    ['with d as (select 1) replace into "draft" select * from d', 'rows'],
    ['create table "t" ("a" text)', 'schema'],
    ['savepoint inner_transaction', 'schema'],
    ['pragma user_version = 3', 'schema'],
  ])('%s is of the kind %s', (sql, kind) => expect(classifyStatement(sql)).toBe(kind))

  it.each([
    'insert into t values (random())',
    'update t set a = current_timestamp',
    'create table t (a text default current_date)',
    "update t set a = datetime('now')",
    'update t set a = unixepoch()',
    "update t set a = strftime('%s')",
    'insert into t values (last_insert_rowid())',
    'insert or rollback into t values (1)',
    'create table t (a references u deferrable initially deferred)',
    'create trigger x before insert on t begin select raise(rollback, ?); end',
    'commit',
    'vacuum',
  ])('rejects %s because it is not deterministic', (sql) =>
    expect(() => classifyStatement(sql)).toThrow('must not use'),
  )

  it.each([
    'update "t" set "current_date" = ?',
    "insert into t values (?, 'random()')",
    "update t set a = date(?, '+1 day')",
    "select raise(abort, 'no')",
  ])('accepts %s', (sql) => expect(() => classifyStatement(sql)).not.toThrow())
})
