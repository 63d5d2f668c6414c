import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { countEntries } from '../../src/audit/queries/audit-entries'
import { loadOperation } from '../../src/catalog'
import { startServer } from '../../src/http/serve'
import { type AnyOperation, execute, silentLog } from '../../src/kernel'
import { type Database, openMemoryDatabase } from '../../src/storage'
import { migrations, openStudio, type Studio } from '../../src/studio'
import { DC1 } from '../docks/dock-fixtures'

export interface Service {
  studio: Studio
  db: Database
  port: number
  /** Headers of a token and a dock key that may do everything. */
  credentials: Record<string, string>
  secrets: string[]
  /** Runs an operation as the person at the terminal. */
  run(op: AnyOperation, input: object): Promise<any>
  /** The number of entries. */
  count(): Promise<number>
}

/** The service over the sandbox, with something of each kind in its workspace. It ends with the file. */
export async function openService(): Promise<Service> {
  const home = mkdtempSync(join(tmpdir(), 'audit-'))
  const db = await openMemoryDatabase(migrations)
  const env = { STUDIO_HOME: home, STUDIO_PORT: '0', STUDIO_LLM_HOST: 'http://127.0.0.1:9', STUDIO_RATE_LIMIT: '0' }
  const studio = openStudio({ env, cwd: home, db })
  const server = await startServer({ studio, version: '1.0.0', local: false, log: silentLog })
  afterAll(async () => {
    await server.close()
    await studio.close()
  })
  const context = () => studio.context({ actor: { kind: 'terminal', tenant: 'default' }, origin: 'cli' })
  const run = async (op: AnyOperation, input: object) => execute(op, input, context())
  const runById = async (id: string, input: object) => run(await loadOperation(id), input)
  const { token } = await runById('tokens.create', { name: 'all', scopes: ['read', 'write', 'admin'] })
  const { key } = await runById('tenants.create-key', { scope: 'admin' })
  await runById('items.get', { id: 204 })
  await runById('drafts.save', { title: 'A draft' })
  await runById('facilities.create', DC1)
  return {
    studio,
    db,
    port: Number(new URL(server.url).port),
    credentials: { authorization: `Bearer ${token}`, 'x-api-key': key },
    secrets: [token, key],
    run,
    count: () => db.read((tx) => countEntries(tx, {})),
  }
}
