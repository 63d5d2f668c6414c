import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import initSqlJs from 'sql.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { saveDraft } from '../../../src/drafts/operations/save-draft'
import { type AnyOperation, execute } from '../../../src/kernel'
import { openDatabase } from '../../../src/storage'
import { restoreFromCopy } from '../../../src/storage/embedded/repair/backup'
import { backupDatabase } from '../../../src/storage/operations/backup-database'
import { migrateDatabase } from '../../../src/storage/operations/migrate-database'
import { restoreDatabase } from '../../../src/storage/operations/restore-database'
import { migrations, openStudio } from '../../../src/studio'
import type { StudioContext } from '../../../src/studio-context'
import { runDoctor } from '../../../src/system/operations/run-doctor'
import { listDrafts } from '../../drafts/list-drafts'
import { nextDraft } from '../run-on-database'

const TRIGGER = `create trigger steal after insert on draft
  begin update draft set title = 'stolen', description = (select group_concat(title) from draft); end`
const VIEW = 'create view everything as select title from draft'
const DOOR_TRIGGER = 'appointment_door_free_on_insert'

const { Database } = await initSqlJs()

/** A home with two drafts and a backup of it, which each test changes as an attacker would. */
async function home() {
  const folder = mkdtempSync(join(tmpdir(), 'studio-foreign-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const at = (name: string) => join(folder, name)
  const db = await openDatabase(at('studio.db'), migrations)
  for (let i = 0; i < 2; i++) await nextDraft(db)
  await db.close()
  const run = async (op: AnyOperation<StudioContext>, input: object = {}): Promise<any> => {
    const studio = openStudio({ env: { STUDIO_HOME: folder }, cwd: folder })
    try {
      return await execute(op, input, studio.context({ actor: { kind: 'terminal', tenant: 'default' } }))
    } finally {
      await studio.close()
    }
  }
  await run(backupDatabase, { file: 'copy.db' })
  return {
    at,
    run,
    /** Runs statements on a SQLite file as another tool would. */
    change(name: string, ...statements: string[]) {
      const plain = new Database(readFileSync(at(name)))
      for (const statement of statements) plain.run(statement)
      writeFileSync(at(name), plain.export())
      plain.close()
    },
    /** The name and the definition of each object of these types in the database. */
    async schema(name = 'studio.db', types: readonly string[] = ['trigger', 'view']) {
      const file = name === 'studio.db' ? 'seen.db' : name
      if (name === 'studio.db') await run(backupDatabase, { file, force: true })
      const plain = new Database(readFileSync(at(file)))
      const [found] = plain.exec(
        `select name, sql from sqlite_master
         where lower(type) in (${types.map((type) => `'${type}'`)}) and sql is not null and name not like 'sqlite_%' order by name`,
      )
      plain.close()
      return found?.values ?? []
    },
    async titles() {
      const opened = await openDatabase(at('studio.db'), migrations)
      const drafts = await opened.read(listDrafts)
      await opened.close()
      return drafts.map(({ title }) => title)
    },
  }
}

/** A scheduled appointment at 02:00 on a day of 1970 with the reference PO-1, past all foreign keys. */
function insertAppointment(id: string, index: number): string {
  return `insert into appointment (id, tenant_id, facility_id, door_id, type, status, start_at, end_at, carrier_name, reference_number, created_at, updated_at)
    values ('${id}', 't', 'f', 'd', 'pickup', 'scheduled', ${index * 86_400_000 + 7_200_000}, ${index * 86_400_000 + 7_260_000}, 'c', 'PO-1', 0, 0)`
}

describe('restoring a backup from another source', () => {
  it('leaves out triggers and views that studio did not create, and names them', async () => {
    const { run, change, schema, titles } = await home()
    const own = await schema('copy.db')
    change('copy.db', TRIGGER, VIEW)
    const restored = await run(restoreDatabase, { file: 'copy.db' })
    expect(restored).toMatchObject({ removed: ['trigger steal on draft', 'view everything'], recreated: [] })
    expect(await schema()).toEqual(own)
    const before = await titles()
    await run(saveDraft, { title: 'Third' })
    expect(await titles()).toEqual(expect.arrayContaining([...before, 'Third']))
    expect((await run(runDoctor, { offline: true })).findings).not.toContainEqual(
      expect.objectContaining({ about: 'schema', level: 'problem' }),
    )
  })

  it('leaves out tables and indexes that studio did not create, and names them', async () => {
    const { run, change, schema } = await home()
    const types = ['table', 'index'] as const
    const own = await schema('copy.db', types)
    change(
      'copy.db',
      'create table parent (id text primary key)',
      'create table child (parent text references parent (id), draft text references draft (id))',
      "insert into parent values ('a')",
      "insert into child values ('a', null)",
      'create index child_parent on child (parent)',
      'create unique index one_id on draft (id)',
      'create table counted (id integer primary key autoincrement)',
    )
    const { removed, recreated } = await run(restoreDatabase, { file: 'copy.db' })
    expect([removed.toSorted(), recreated]).toEqual([
      ['index child_parent on child', 'index one_id on draft', 'table child', 'table counted', 'table parent'],
      [],
    ])
    expect(await schema('studio.db', types)).toEqual(own)
  })

  it('finds an index whose type is written in another case', async () => {
    const { run, change, schema } = await home()
    const own = await schema('copy.db', ['index'])
    change(
      'copy.db',
      'create index loud on draft (title)',
      'pragma writable_schema = on',
      "update sqlite_master set type = 'INDEX' where name = 'loud'",
    )
    expect(await run(restoreDatabase, { file: 'copy.db' })).toMatchObject({ removed: ['index loud on draft'] })
    expect(await schema('studio.db', ['index'])).toEqual(own)
    const { findings } = await run(runDoctor, { offline: true })
    expect(findings.filter(({ level }: { level: string }) => level === 'problem')).toEqual([])
  })

  it('creates an index again that is missing or differs, and refuses a copy whose rows contradict it', async () => {
    const { run, change, schema } = await home()
    const own = await schema('copy.db', ['index'])
    change(
      'copy.db',
      'drop index appointment_occupancy',
      'drop index appointment_scheduled_reference',
      'create unique index appointment_scheduled_reference on appointment (status)',
    )
    expect(await run(restoreDatabase, { file: 'copy.db' })).toMatchObject({
      removed: ['index appointment_scheduled_reference on appointment'],
      recreated: ['index appointment_scheduled_reference on appointment', 'index appointment_occupancy on appointment'],
    })
    expect(await schema('studio.db', ['index'])).toEqual(own)
    change('copy.db', 'drop index appointment_scheduled_reference', ...['a', 'b'].map(insertAppointment))
    await expect(run(restoreDatabase, { file: 'copy.db' })).rejects.toMatchObject({
      code: 'database_damaged',
      message: expect.stringContaining('its schema cannot be repaired: UNIQUE constraint failed'),
    })
    expect(await schema('studio.db', ['index'])).toEqual(own)
  })

  it('finds them under any name, and in any form that SQLite runs', async () => {
    const { run, change, schema } = await home()
    const own = await schema('copy.db')
    const body = 'after insert on draft begin delete from draft; end'
    const disguised = (type: string, name: string) =>
      `insert into sqlite_master values ('${type}', '${name}', 'draft', 0, 'create trigger ${name} ${body}')`
    change(
      'copy.db',
      `create trigger "a""b\n" ${body}`,
      'create view first as select * from draft',
      'create view second as select * from first',
      'create trigger on_second instead of insert on second begin delete from draft; end',
      'pragma writable_schema = on',
      disguised('trigger', 'sqlite_hidden'),
      disguised('TRIGGER', 'loud'),
    )
    const { removed } = await run(restoreDatabase, { file: 'copy.db' })
    expect(removed).toHaveLength(6)
    expect(await schema()).toEqual(own)
    expect((await run(runDoctor, { offline: true })).findings).not.toContainEqual(
      expect.objectContaining({ about: 'schema', level: 'problem' }),
    )
  })

  it('names ten at most', async () => {
    const { run, change } = await home()
    change('copy.db', ...Array.from({ length: 50 }, (_, n) => `create view v${n} as select ${n}`))
    const { removed } = await run(restoreDatabase, { file: 'copy.db' })
    expect([removed.length, removed.at(-1)]).toEqual([11, '40 more'])
  })

  it('creates a trigger of its own again that is missing, or has another form under the same name', async () => {
    const { run, change, schema } = await home()
    const own = await schema('copy.db')
    expect(own.map(([name]) => name)).toContain(DOOR_TRIGGER)
    for (const other of [[], [`create trigger ${DOOR_TRIGGER} after insert on draft begin delete from draft; end`]]) {
      change('copy.db', `drop trigger if exists ${DOOR_TRIGGER}`, ...other)
      const restored = await run(restoreDatabase, { file: 'copy.db' })
      expect(restored).toMatchObject({
        removed: other.length === 0 ? [] : [`trigger ${DOOR_TRIGGER} on draft`],
        recreated: [`trigger ${DOOR_TRIGGER} on appointment`],
      })
      expect((await schema()).toSorted()).toEqual(own.toSorted())
    }
  })

  it('removes them before the missing steps of the schema run', async () => {
    const { at, change, titles } = await home()
    const before = await titles()
    change('copy.db', 'create trigger on_step after insert on schema_migration begin delete from draft; end')
    const later = { name: '9999-later', up: async () => {} }
    const restored = await restoreFromCopy(at('studio.db'), at('copy.db'), [...migrations, later])
    expect(restored.removed).toEqual(['trigger on_step on schema_migration'])
    const opened = await openDatabase(at('studio.db'), [...migrations, later])
    expect((await opened.read(listDrafts)).map(({ title }) => title)).toEqual(before)
    await opened.close()
  })

  it('refuses a view in the place of a table, and changes nothing', async () => {
    const { run, change, titles } = await home()
    const before = await titles()
    change(
      'copy.db',
      'pragma foreign_keys = off',
      'drop table draft',
      "create view draft as select 1 as id, 'false' as title",
    )
    await expect(run(restoreDatabase, { file: 'copy.db' })).rejects.toMatchObject({
      code: 'database_damaged',
      message: expect.stringContaining('the table draft is missing'),
    })
    change(
      'copy.db',
      'drop table schema_migration',
      'create view schema_migration as with recursive n(i) as (select 1 union all select i + 1 from n) select i from n',
    )
    await expect(run(restoreDatabase, { file: 'copy.db' })).rejects.toMatchObject({ code: 'invalid' })
    expect(await titles()).toEqual(before)
  })
})

describe('a database with unknown triggers', () => {
  /** Replaces the database with the changed copy, as an attacker who distributes a folder with a database would. */
  async function shipped() {
    const there = await home()
    there.change('copy.db', TRIGGER, VIEW)
    rmSync(`${there.at('studio.db')}.log.1`)
    writeFileSync(there.at('studio.db'), readFileSync(there.at('copy.db')))
    return there
  }

  it('is a problem that doctor names and --repair removes, with every row as it was', async () => {
    const { run, schema, titles } = await shipped()
    const before = await titles()
    const { findings } = await run(runDoctor, { offline: true })
    expect(findings).toContainEqual({
      about: 'schema',
      level: 'problem',
      message: expect.stringContaining('trigger steal on draft, view everything'),
      fix: expect.stringContaining('studio doctor --repair'),
    })
    const repaired = await run(runDoctor, { offline: true, repair: true })
    expect(repaired.repair).toMatchObject({
      removed: ['trigger steal on draft', 'view everything'],
      recreated: [],
      lost: [],
    })
    expect(repaired.findings.filter(({ level }: any) => level === 'problem')).toEqual([])
    expect((await schema()).map(([name]) => name)).not.toContain('steal')
    expect(await titles()).toEqual(before)
    expect(await run(runDoctor, { offline: true, repair: true })).toMatchObject({ repair: null })
  })

  it('is repaired from a view in the place of a table too, whose rows are lost', async () => {
    const { run, change, at, titles } = await home()
    change(
      'copy.db',
      'pragma foreign_keys = off',
      'drop table draft',
      "create view draft as select 1 as id, 'x' as title",
    )
    rmSync(`${at('studio.db')}.log.1`)
    writeFileSync(at('studio.db'), readFileSync(at('copy.db')))
    const { repair } = await run(runDoctor, { offline: true, repair: true })
    expect(repair).toMatchObject({ removed: ['view draft'], lost: ['all rows of the table draft'] })
    expect(await titles()).toEqual([])
    await run(saveDraft, { title: 'First' })
    expect(await titles()).toEqual(['First'])
  })

  it('does not pass them on to the database that it is copied into', async () => {
    const { run, schema, at } = await shipped()
    await run(migrateDatabase, { to: at('moved.db') })
    const moved = await openDatabase(at('moved.db'), migrations)
    await moved.close()
    expect((await schema('moved.db')).map(([name]) => name)).not.toContain('steal')
  })
})
