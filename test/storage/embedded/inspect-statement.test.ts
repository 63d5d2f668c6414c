import { describe, expect, it } from 'vitest'
import { inspectStatement } from '../../../src/storage/embedded/engine/inspect-statement'

describe('a statement', () => {
  it.each([
    ['insert or ignore into "draft" values (?)', ['draft']],
    ['update "workspace_version" set "value" = "value" + 1', ['workspace_version']],
    ['delete from note where id in (select id from old)', ['note', 'old']],
    ['with d as (select 1) replace into "draft" select * from d', ['draft']],
  ])('%s names its tables', (sql, names) => expect(inspectStatement(sql).names).toEqual(expect.arrayContaining(names)))

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
  ])('%s is of the kind %s', (sql, kind) => expect(inspectStatement(sql).kind).toBe(kind))

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
  ])('rejects %s because it is not deterministic', (sql) => expect(() => inspectStatement(sql)).toThrow('must not use'))

  it.each([
    'update "t" set "current_date" = ?',
    "insert into t values (?, 'random()')",
    "update t set a = date(?, '+1 day')",
    "select raise(abort, 'no')",
  ])('accepts %s', (sql) => expect(() => inspectStatement(sql)).not.toThrow())
})
