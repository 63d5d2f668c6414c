import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import type { Finding } from '../../../src/kernel/finding'
import { openDatabase } from '../../../src/storage'
import { inspectServer } from '../../../src/storage/postgres/inspect-server'
import { noteMigrations } from '../database-contract'
import { describeWithPostgres } from './server'

describeWithPostgres('the findings about a server', (server) => {
  async function inspect(address: string, about: string): Promise<Finding[]> {
    const db = await openDatabase(address, noteMigrations)
    const findings = inspectServer((await db.inspectServer!())!, new Map())
    await db.close()
    return findings.filter((finding) => finding.about === about)
  }

  async function connect(address: string, settings: pg.ClientConfig = {}) {
    const client = new pg.Client({ connectionString: address, ...settings })
    await client.connect()
    onTestFinished(() => client.end())
    return client
  }

  it('name a copy that is not connected, for which the server keeps changes', async () => {
    const address = await server().createDatabase()
    await server().query("select pg_create_physical_replication_slot('north', true)")
    onTestFinished(async () => void (await server().query("select pg_drop_replication_slot('north')")))
    expect((await inspect(address, 'replication')).find(({ level }) => level === 'warning')).toMatchObject({
      message: expect.stringMatching(/^No standby uses the replication slot north\. The server keeps \d+ [kM]B/),
      fix: expect.stringContaining("pg_drop_replication_slot('north')"),
    })
  })

  it('tell standbys of the same name apart', async () => {
    await server().startReplica()
    await server().startReplica()
    const address = await server().createDatabase()
    const messages = async () =>
      (await inspect(address, 'replication')).map(({ message }) => message.split(' copies')[0])
    await expect
      .poll(messages)
      .toEqual([expect.stringMatching(/^walreceiver at 127\./), expect.stringMatching(/^walreceiver at 127\./)])
    expect(new Set(await messages()).size).toBe(2)
  })

  it('name the process of a transaction that is open for minutes', async () => {
    const address = await server().createDatabase()
    const client = await connect(address, { application_name: 'report' })
    await client.query('begin')
    const { rows } = await client.query('select pg_backend_pid() as pid')
    const db = await openDatabase(address, noteMigrations)
    onTestFinished(() => db.close())
    const state = (await db.inspectServer!())!
    expect(state.oldestTransaction).toMatchObject({ pid: rows[0].pid, program: 'report' })
    const old = { ...state, oldestTransaction: { ...state.oldestTransaction!, seconds: 185 } }
    expect(inspectServer(old, new Map()).find(({ about }) => about === 'transactions')).toMatchObject({
      level: 'warning',
      message: expect.stringMatching(/report in \w+ has been open for 3 minutes/),
      fix: expect.stringContaining(`pg_terminate_backend(${rows[0].pid})`),
    })
  })

  const setOn = async (address: string, setting: string) => {
    const name = new URL(address).pathname.slice(1)
    await server().query(`alter database ${name} set ${setting}`)
  }
  const twoServers = (address: string) => address.replace(/@([^/]+)\//, (_, host) => `@${host},127.0.0.1:9/`)

  it('report a standby as a problem, and do not ask for standbys of it', async () => {
    const address = await server().createDatabase()
    await inspect(address, 'writing')
    const replica = await server().startReplica()
    // Patroni sets it on all servers.
    await replica.query("alter system set synchronous_standby_names = 'other'")
    await replica.query('select pg_reload_conf()')
    await expect
      .poll(() => replica.query('show synchronous_standby_names'))
      .toEqual([{ synchronous_standby_names: 'other' }])
    const db = await openDatabase(replica.addressOf(address), noteMigrations)
    onTestFinished(() => db.close())
    const findings = inspectServer((await db.inspectServer!())!, new Map())
    expect(findings.filter(({ level }) => level !== 'ok')).toEqual([
      {
        about: 'writing',
        level: 'problem',
        message: 'The server is a standby: nothing can be written.',
        fix: expect.stringMatching(/STUDIO_DB .*target_session_attrs=read-write.*STUDIO_DB_READ/),
      },
    ])
    await expect(db.requireWritable!()).rejects.toMatchObject({ code: 'read_only', retryAfterSeconds: 1 })
    await expect(openDatabase(twoServers(replica.addressOf(address)), noteMigrations)).rejects.toMatchObject({
      message: expect.stringMatching(/No server of .* is the primary|ECONNREFUSED/),
    })
  })

  it('report a database whose transactions are read-only as a problem', async () => {
    const address = await server().createDatabase()
    await inspect(address, 'writing')
    await setOn(address, 'default_transaction_read_only = on')
    expect(await inspect(address, 'writing')).toMatchObject([
      { level: 'problem', message: expect.stringContaining('nothing can be written') },
    ])
    const db = await openDatabase(address, noteMigrations)
    onTestFinished(() => db.close())
    await expect(db.requireWritable!()).rejects.toMatchObject({ code: 'read_only' })
    await setOn(address, 'default_transaction_read_only = off')
    const writable = await openDatabase(address, noteMigrations)
    onTestFinished(() => writable.close())
    await writable.requireWritable!()
  })

  it.each([
    ['off', 'a crash loses'],
    ['local', 'a failover loses'],
  ])('warn of synchronous_commit = %s, and say where it is set', async (level, loss) => {
    const address = await server().createDatabase()
    expect(await inspect(address, 'writing')).toEqual([])
    const asClient = `${address}?options=-c%20synchronous_commit%3D${level}`
    expect(await inspect(asClient, 'writing')).toMatchObject([
      { level: 'warning', fix: expect.stringContaining('options in the address') },
    ])
    await setOn(address, `synchronous_commit = ${level}`)
    expect(await inspect(address, 'writing')).toMatchObject([
      {
        level: 'warning',
        message: expect.stringMatching(`synchronous_commit is ${level}.*${loss}`),
        fix: expect.stringContaining('alter database <database> reset synchronous_commit'),
      },
    ])
  })

  it('warn of several servers of which none confirms what the primary does', async () => {
    const address = await server().createDatabase()
    expect(await inspect(twoServers(address), 'writing')).toMatchObject([
      { level: 'warning', fix: expect.stringContaining('synchronous_standby_names') },
    ])
    const db = await openDatabase(twoServers(address), noteMigrations)
    onTestFinished(() => db.close())
    const state = { ...(await db.inspectServer!())!, hasSynchronousStandbys: true }
    expect(inspectServer(state, new Map()).filter(({ about }) => about === 'writing')).toEqual([])
  })

  it('do not claim that there is nothing which the role may not see', async () => {
    const address = new URL(await server().createDatabase())
    await server().query(
      'create role watcher login; grant usage, create on schema public to watcher',
      address.pathname.slice(1),
    )
    address.username = 'watcher'
    for (const about of ['replication', 'transactions'])
      expect(await inspect(address.href, about)).toMatchObject([
        { level: 'ok', message: expect.stringContaining('grant pg_monitor to <role>') },
      ])
  })
})
