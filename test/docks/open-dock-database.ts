import pg from 'pg'
import { onTestFinished } from 'vitest'
import { partitionAppointments } from '../../src/docks/archive/queries/partitions'
import { type Database, type Migration, openDatabase, openMemoryDatabase } from '../../src/storage'

/** The address of a PostgreSQL server on which the tests of the docks run, as a superuser; they run in memory without it. */
const server = process.env['STUDIO_TEST_SERVER']
/** The number of partitions of the appointments there. */
const partitions = Number(process.env['STUDIO_TEST_PARTITIONS'] ?? 0)

let template: Promise<string> | null = null
let count = 0

export async function openDockDatabase(migrations: readonly Migration[]): Promise<Database> {
  if (server === undefined) return openMemoryDatabase(migrations)
  template ??= createTemplate(server, migrations)
  const db = await openDatabase(await createDatabase(server, `template ${await template}`), migrations)
  onTestFinished(() => db.close())
  return db
}

async function createTemplate(server: string, migrations: readonly Migration[]): Promise<string> {
  const address = await createDatabase(server)
  const db = await openDatabase(address, migrations)
  if (partitions > 0)
    await db.write((tx) => partitionAppointments(tx, { count: partitions, onPartition: () => {} }), {
      changesSchema: true,
    })
  await db.close()
  return new URL(address).pathname.slice(1)
}

/** Several workers share the server. */
async function createDatabase(server: string, options = ''): Promise<string> {
  const name = `docks_${process.pid}_${++count}`
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(`create database ${name} ${options}`)
  await client.end()
  const address = new URL(server)
  address.pathname = `/${name}`
  return address.href
}
