import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Kysely, sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { partitionAppointmentTable } from '../../../../src/docks/archive/operations/partition-appointments'
import { bookAppointment } from '../../../../src/docks/booking/operations/book-appointment'
import { listAppointments } from '../../../../src/docks/booking/operations/list-appointments'
import { scheduledOthersQuery } from '../../../../src/docks/booking/queries/appointment-references'
import { createFacility } from '../../../../src/docks/facilities/operations/create-facility'
import { appointmentsQuery, siteRecordQuery } from '../../../../src/docks/queries'
import { type Database, openDatabase, openMemoryDatabase, type ReadTx, tables } from '../../../../src/storage'
import { inspectServer, listExpectedIndexes } from '../../../../src/storage/postgres/inspect-server'
import { migrations } from '../../../../src/studio'
import { describeWithPostgres } from '../../../storage/postgres/server'
import { contents, runOn } from '../../../storage/run-on-database'
import { DC1, load } from '../../dock-fixtures'

const ON_SERVER = { current: 'postgres://server/docks' }

describeWithPostgres('a partitioned table of appointments', (server) => {
  async function openFilled() {
    const address = await server().createDatabase()
    const db = await openDatabase(address, migrations)
    onTestFinished(() => db.close())
    const facility = await runOn(db, createFacility, DC1)
    await runOn(db, createFacility, { ...DC1, code: 'DC2' })
    for (let i = 0; i < 5; i++) await runOn(db, bookAppointment, load({ facilityCode: i % 2 ? 'DC2' : 'DC1' }))
    return { db, address, facility, name: new URL(address).pathname.slice(1) }
  }

  const partition = (db: Database, partitions?: number, more: object = {}) =>
    runOn(db, partitionAppointmentTable, { ...(partitions && { partitions }), ...more }, ON_SERVER)
  const query = (db: Database, run: (db: Kysely<any>) => Promise<any>) => db.write((tx) => run(tables<any>(tx)))

  it('has the same rows, indexes, triggers, references and grants, also after it was split again', async () => {
    const { db, name } = await openFilled()
    await server().query('create role clerk; grant select, insert on appointment to clerk', name)
    const before = await db.read(contents)
    expect(await partition(db, 8, { dryRun: true })).toMatchObject({
      partitions: 8,
      before: 0,
      appointments: null,
      dryRun: true,
    })
    expect(await partition(db, 8)).toEqual({ partitions: 8, before: 0, appointments: 5, dryRun: false })
    expect(await db.read(contents)).toEqual(before)
    await expect(partition(db, 8)).rejects.toMatchObject({ code: 'conflict' })
    expect(await partition(db, 4)).toMatchObject({ partitions: 4, before: 8, appointments: 5 })
    expect(await db.read(contents)).toEqual(before)
    const expected = await listExpectedIndexes({ openEmpty: () => openMemoryDatabase(migrations) } as never)
    const findings = inspectServer((await db.inspectServer!())!, expected)
    expect(findings.find(({ about }) => about === 'indexes')).toMatchObject({ level: 'ok' })
    const [facts] = await server().query(
      `select (select count(*) from pg_trigger where tgrelid = 'appointment'::regclass and not tgisinternal)::int as triggers,
        (select count(*) from pg_constraint where conrelid = 'appointment'::regclass and contype = 'f')::int as references,
        (select count(*) from pg_constraint where contype = 'x')::int as exclusions,
        has_table_privilege('clerk', 'appointment', 'insert') and not has_table_privilege('clerk', 'appointment', 'delete') as granted`,
      name,
    )
    expect(facts).toEqual({ triggers: 1, references: 2, exclusions: 4, granted: true })
  })

  it('refuses two appointments at a door, and a reference twice, in the database itself', async () => {
    const { db } = await openFilled()
    await partition(db)
    const copy = (change: string) =>
      query(db, (db) =>
        sql`insert into appointment select (jsonb_populate_record(appointment, ${change}::jsonb)).* from appointment limit 1`.execute(
          db,
        ),
      )
    await expect(copy('{"id":"x","reference_number":"other"}')).rejects.toThrow('appointment_door_free')
    await expect(copy('{"id":"x","start_at":1,"end_at":2}')).rejects.toThrow(/reference/)
    await expect(copy('{"id":"x","start_at":2,"end_at":1}')).rejects.toThrow('appointment_ends_after_start')
  })

  it('is found by its facility in one partition', async () => {
    const { db, facility } = await openFilled()
    await partition(db, 32)
    const span = { from: 0, to: 1 }
    const plans = await db.read(async (tx: ReadTx) => [
      await appointmentsQuery(tx, {
        facilityId: facility.id,
        starting: span,
        referenceNumber: null,
        status: null,
      }).explain(),
      await appointmentsQuery(tx, {
        facilityId: facility.id,
        starting: null,
        referenceNumber: 'PO-1',
        status: null,
      }).explain(),
      await scheduledOthersQuery(tx, facility.id, ['PO-1']).explain(),
      await sql`explain ${siteRecordQuery({ facilityId: facility.id, referenceNumber: 'PO-1', after: 0, ...span, now: 0 })}`.execute(
        tables<any>(tx),
      ),
    ])
    for (const plan of plans)
      expect(
        new Set(
          JSON.stringify(plan)
            .match(/appointment_32_\d+/g)
            ?.map((name) => name.replace(/_idx.*/, '')),
        ).size,
      ).toBe(1)
  })

  it('takes bookings while it is made, and loses none', async () => {
    const { db, address } = await openFilled()
    const other = await openDatabase(address, migrations)
    onTestFinished(() => other.close())
    const bookings = Array.from({ length: 12 }, () => runOn(other, bookAppointment, load({ targetDate: '2026-11-19' })))
    await partition(db)
    await Promise.all(bookings)
    const list = { facilityCode: 'DC1', startDate: '2026-11-19', endDate: '2026-11-20' }
    expect(await runOn(db, listAppointments, list)).toHaveLength(12)
  })

  it('changes nothing if a view depends on the table, and says which', async () => {
    const { db, name } = await openFilled()
    await server().query('create view today as select * from appointment', name)
    await expect(partition(db)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('view today'),
    })
    await runOn(db, bookAppointment, load())
    expect(await partition(db, 4, { dryRun: true })).toMatchObject({ before: 0 })
  })

  it('keeps its owner and its grants if a member of the owning role makes it, and adds none', async () => {
    const { address, name } = await openFilled()
    const all = 'all tables in schema public'
    await server().query(
      `create role owners; create role deployer login in role owners; create role manager; create role reader; create role unwanted;
      do $$ declare t text; begin
        for t in select tablename from pg_tables where schemaname = 'public' loop
          execute format('alter table %I owner to owners', t);
        end loop;
      end $$;
      grant create on schema public to owners;
      alter default privileges for role deployer grant select on tables to unwanted;
      grant select, insert, update, delete on ${all} to deployer; grant update on ${all} to manager with grant option;
      set role manager; grant update on appointment to reader; reset role; grant select on appointment to public`,
      name,
    )
    const readAccess = async () => {
      const [{ owner, grants }] = await server().query(
        `select pg_get_userbyid(relowner) as owner, (select string_agg(concat_ws(' ',
            case when grantee = 0 then 'public' else pg_get_userbyid(grantee) end, lower(privilege_type),
            case when is_grantable then 'grantable' end), ', ' order by grantee::text, privilege_type)
          from aclexplode(relacl) where grantee <> relowner) as grants
        from pg_class where oid = 'appointment'::regclass`,
        name,
      )
      return { owner, grants: grants.split(', ').sort() }
    }
    const before = await readAccess()
    const deployed = await openDatabase(address.replace('studio_test@', 'deployer@'), migrations)
    onTestFinished(() => deployed.close())
    await partition(deployed, 4)
    expect(await readAccess()).toEqual(before)
    expect(before.owner).toBe('owners')
    expect(before.grants).toEqual([
      ...['delete', 'insert', 'select', 'update'].map((privilege) => `deployer ${privilege}`),
      'manager update grantable',
      'public select',
      'reader update',
    ])
    const partitions = await server().query(
      `select pg_get_userbyid(relowner) as owner,
        (select count(*) from aclexplode(relacl) where grantee <> relowner)::int as grants
      from pg_class join pg_inherits on inhrelid = oid where inhparent = 'appointment'::regclass`,
      name,
    )
    expect(partitions).toEqual(Array(4).fill({ owner: 'owners', grants: 0 }))
  })

  it.each([
    ['create policy own_rows on appointment using (true)', 'row-security policies (own_rows)'],
    ['alter table appointment enable row level security', 'row security (enabled)'],
    ['create publication feed for table appointment', 'publications (feed)'],
    [
      'grant select (status), update (load_description) on appointment to public',
      'column grants (load_description to public, status to public)',
    ],
  ])('is refused by a dry run too, and changes nothing, after %s', async (statement, named) => {
    const { db, name } = await openFilled()
    await server().query(statement, name)
    for (const dryRun of [true, false])
      await expect(partition(db, 4, { dryRun })).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining(`the appointments have: ${named}.`),
      })
    expect((await server().query('select count(*)::int from pg_inherits', name))[0].count).toBe(0)
  })

  it('passes the tests of the docks', async () => {
    const env = { ...process.env, STUDIO_TEST_SERVER: await server().createDatabase(), STUDIO_TEST_PARTITIONS: '8' }
    const files = ['archive-appointments', 'end-appointment', 'swap-appointments'].map((name) => `operations/${name}`)
    const args = ['vitest', 'run', '--project', 'core', ...files]
    const { stdout } = await promisify(execFile)('npx', args, { env, maxBuffer: 1e8 }).catch((error) => error)
    expect(stdout).toMatch(/\n\d{2,} passed, 0 failed/)
  })
})
