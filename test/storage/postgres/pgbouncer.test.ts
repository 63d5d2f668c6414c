import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase, precompileQuery, tables } from '../../../src/storage'
import { openWorkplace } from '../../cluster/processes'
import { findProgram } from '../../cluster/programs'
import { pgBouncerSettings } from '../../cluster/router'
import { freePort } from '../../free-port'
import { addNote, type NoteTables, noteMigrations, notes } from '../database-contract'
import { describeWithPostgres, type Server } from './server'

async function startPgBouncer(server: Server, poolMode: 'transaction' | 'statement') {
  const target = new URL(await server.createDatabase())
  const workplace = await openWorkplace()
  onTestFinished(() => workplace.remove())
  const port = await freePort()
  const users = workplace.write('users.txt', `"${target.username}" ""\n`)
  const settings = pgBouncerSettings({ port, server: `host=127.0.0.1 port=${target.port}`, users, poolMode })
  workplace.run('pgbouncer', findProgram('pgbouncer')!, [workplace.write('pgbouncer.ini', settings)])
  await expect.poll(() => isListening(port)).toBe(true)
  return `postgres://${target.username}@127.0.0.1:${port}${target.pathname}`
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** Forwards to the server of the address, and records what the client sends. */
async function record(address: string) {
  const target = new URL(address)
  const sent: Buffer[] = []
  const proxy = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    client.on('data', (part) => void sent.push(part)).on('error', () => {})
    upstream.on('error', () => {})
    client.pipe(upstream).pipe(client)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => void proxy.close())
  const { port } = proxy.address() as { port: number }
  return {
    address: address.replace(`:${target.port}/`, `:${port}/`),
    read: () => Buffer.concat(sent).toString('latin1'),
  }
}

const countNotes = precompileQuery((tx, _: object) =>
  tables<NoteTables>(tx)
    .selectFrom('note')
    .select(({ fn }) => fn.countAll().as('count')),
)

/** A message `Parse` of the protocol with a name: a prepared statement that lasts longer than its transaction. */
const namedStatement = /P\0\0[\s\S]{2}[^\0]+\0(?:select|insert|update|delete|with|begin|commit|set)\b/i

describe.skipIf(findProgram('pgbouncer') === null)('PgBouncer', () => {
  describeWithPostgres('in front of PostgreSQL', (server) => {
    it('in transaction mode runs everything, and gets nothing that lasts longer than a transaction', async () => {
      const { address, read } = await record(await startPgBouncer(server(), 'transaction'))
      const db = await openDatabase(address, noteMigrations)
      onTestFinished(() => db.close())
      await Promise.all(Array.from({ length: 30 }, (_, i) => db.write((tx) => addNote(tx, `note ${i}`))))
      for (let i = 0; i < 3; i++)
        await Promise.all(Array.from({ length: 30 }, () => db.read((tx) => countNotes(tx, {}))))
      expect(await db.read(notes)).toHaveLength(31)
      const sent = read()
      expect(sent).toContain('set local statement_timeout')
      expect(sent).not.toMatch(namedStatement)
      expect(sent).not.toMatch(
        /\bset (?!local\b)\w+ *(?:=|to)|\b(?:un)?listen\b|\bnotify\b|advisory|\bprepare\b|temp(?:orary)? table|with hold/i,
      )
    })

    it('in statement mode is refused, and the error names the mode to use', async () => {
      const address = await startPgBouncer(server(), 'statement')
      await expect(openDatabase(address, noteMigrations)).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('statement mode'),
        hint: expect.stringContaining('pool_mode = transaction'),
      })
    })

    it('that refuses a parameter of the address is reported with how to allow or avoid it', async () => {
      const address = `${await startPgBouncer(server(), 'transaction')}?options=-c%20search_path%3Dpublic`
      await expect(openDatabase(address, noteMigrations)).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('options'),
        hint: expect.stringContaining('alter role'),
      })
    })
  })
})
