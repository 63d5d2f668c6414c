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
      mend: expect.stringContaining("pg_drop_replication_slot('north')"),
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
      mend: expect.stringContaining(`pg_terminate_backend(${rows[0].pid})`),
    })
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
