import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterAll, beforeAll, describe, it, onTestFinished } from 'vitest'
import { type Database, type Migration, openDatabase } from '../../../src/storage'
import { freePort } from '../../free-port'

/** An empty PostgreSQL server for the tests, on loopback. Only the role `guarded` needs a password. */
export interface Server {
  readonly version: string
  /** Returns the address of a new, empty database. `options` are those of `create database`. */
  createDatabase(options?: string): Promise<string>
  /** Opens a migrated database for one test. It is closed at the end of the test. */
  openDatabase(migrations: readonly Migration[]): Promise<Database>
  /** Starts a server that copies this one. `query` runs on the copy. */
  startReplica(): Promise<Replica>
  /** Runs a query as superuser. */
  query(sql: string, database?: string): Promise<any[]>
  /** Stops the server immediately, as in a power failure. The files remain. */
  kill(): Promise<void>
  start(): Promise<void>
  remove(): Promise<void>
}

export interface Replica {
  /** The address of a database of the same name as the one at `address`. */
  addressOf(address: string): string
  query(sql: string): Promise<any[]>
  kill(): Promise<void>
  start(): Promise<void>
}

const OWNER = 'studio_test'

/** The folder of the programs: POSTGRES_BIN, a folder of the PATH, or the newest one of Debian. */
function findPrograms(): string | null {
  // Under Wine, Node for Windows finds the programs of Linux, which it cannot start.
  if (process.platform === 'win32') return null
  const debian = '/usr/lib/postgresql'
  const versions = ls(debian).sort((a, b) => Number(b) - Number(a))
  const asked = process.env['POSTGRES_BIN']
  const folders = asked
    ? [asked]
    : [...(process.env['PATH'] ?? '').split(delimiter), ...versions.map((version) => join(debian, version, 'bin'))]
  return folders.find((folder) => isProgram(join(folder, 'initdb')) && isProgram(join(folder, 'postgres'))) ?? null
}

function ls(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const programs = findPrograms()

/** Declares tests with a server that is started before them, or a skipped test that says why. */
export function describeWithPostgres(name: string, tests: (server: () => Server) => void | Promise<void>): void {
  if (programs === null) {
    describe(name, () =>
      it.skip('skipped: initdb and postgres are not installed (set POSTGRES_BIN to their folder)', () => {}),
    )
    return
  }
  describe(name, async () => {
    let server: Server
    beforeAll(async () => {
      server = await startServer(programs, { template: process.env['STUDIO_TEST_CLUSTER'] })
    })
    afterAll(() => server?.remove())
    await tests(() => server)
  })
}

/** The folder of the programs; null if they are not installed. */
export const postgresPrograms = () => programs

interface ServerOptions {
  /** The server waits for the disk, as in production. */
  durable?: boolean
  /** A folder with the files of an empty server, which is created if it is missing. */
  template?: string
}

export async function startServer(bin: string, { durable = false, template }: ServerOptions = {}): Promise<Server> {
  const account = await serverAccount()
  const folder = await mkdtemp(join(tmpdir(), 'studio-postgres-'))
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid!)
  const data = join(folder, 'data')
  const { PATH = '' } = process.env
  const own = { ...account, cwd: folder, env: { PATH, LC_ALL: 'C' } }
  createCluster(bin, data, { own, template })
  const rules = join(data, 'pg_hba.conf')
  writeFileSync(rules, `host all guarded 127.0.0.1/32 scram-sha-256\n${readFileSync(rules, 'utf8')}`)
  const port = await freePort()
  let count = 0

  const createProcess = (data: string, port: number) => {
    let running: ChildProcess | null = null
    return {
      async start() {
        const args = ['-D', data, '-k', folder, '-p', String(port), ...settingsFor(durable)]
        running = spawn(join(bin, 'postgres'), args, { ...own, stdio: ['ignore', 'ignore', 'pipe'] })
        await untilReady(running)
      },
      async kill() {
        if (!running) return
        const ended = new Promise((resolve) => running!.once('exit', resolve))
        running.kill('SIGQUIT')
        await ended
        running = null
      },
      async query(sql: string, database = 'postgres') {
        const client = new pg.Client({ host: '127.0.0.1', port, user: OWNER, database })
        await client.connect()
        try {
          return (await client.query(sql)).rows
        } finally {
          await client.end()
        }
      },
    }
  }
  const { start, kill, query } = createProcess(data, port)
  const replicas: Replica[] = []
  const startReplica = async () => {
    const copy = join(folder, `replica${replicas.length + 1}`)
    const source = ['-h', '127.0.0.1', '-p', String(port), '-U', OWNER]
    // The folder of the PATH may have links to some programs only.
    const folderOfAll = dirname(realpathSync(join(bin, 'postgres')))
    execFileSync(join(folderOfAll, 'pg_basebackup'), ['-D', copy, '-R', '--no-sync', '-c', 'fast', ...source], own)
    const at = await freePort()
    const replica: Replica = {
      ...createProcess(copy, at),
      addressOf: (address) => address.replace(/:\d+\//, `:${at}/`),
    }
    replicas.push(replica)
    await replica.start()
    return replica
  }

  const createDatabase = async (options = '') => {
    const name = `test_${++count}`
    await query(`create database ${name} ${options}`)
    return `postgres://${OWNER}@127.0.0.1:${port}/${name}`
  }

  await start()
  return {
    version: (await query('show server_version'))[0].server_version,
    query,
    start,
    kill,
    startReplica,
    createDatabase,
    openDatabase: openerOfCopies(createDatabase),
    async remove() {
      await Promise.all([kill(), ...replicas.map((replica) => replica.kill())])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Writes the files of an empty server. Those of a template are copied, because initdb takes longer than all else of a start: the first one
 * creates it. All servers from one template count as the same cluster.
 */
function createCluster(bin: string, data: string, { own, template }: { own: SpawnOptions; template?: string }): void {
  const run = (program: string, args: string[]) =>
    execFileSync(program, args, { ...own, stdio: ['ignore', 'ignore', 'pipe'] })
  if (template && existsSync(template)) return void run('cp', ['-R', '-p', template, data])
  run(join(bin, 'initdb'), ['-D', data, '-U', OWNER, '-A', 'trust', '-E', 'UTF8', '--no-sync'])
  if (!template) return
  const copy = `${data}-copy`
  run('cp', ['-R', '-p', data, copy])
  try {
    renameSync(copy, template)
  } catch {
    rmSync(copy, { recursive: true }) // Another worker was faster.
  }
}

/** Copying a database is faster than running the migrations. */
function openerOfCopies(createDatabase: Server['createDatabase']): Server['openDatabase'] {
  const templates = new Map<string, Promise<string>>()
  const prepare = async (migrations: readonly Migration[]) => {
    const address = await createDatabase()
    await (await openDatabase(address, migrations)).close()
    return new URL(address).pathname.slice(1)
  }
  return async (migrations) => {
    const key = migrations.map(({ name }) => name).join()
    if (!templates.has(key)) templates.set(key, prepare(migrations))
    const db = await openDatabase(await createDatabase(`template ${await templates.get(key)}`), migrations)
    onTestFinished(() => db.close())
    return db
  }
}

/** Tests do not need durability. */
function settingsFor(durable: boolean): string[] {
  return [
    'listen_addresses=127.0.0.1',
    `fsync=${durable ? 'on' : 'off'}`,
    'max_connections=200',
    `shared_buffers=${durable ? 128 : 32}MB`,
    'password_encryption=scram-sha-256',
  ].flatMap((setting) => ['-c', setting])
}

/** PostgreSQL refuses to run as root. */
export async function serverAccount(): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {}
  const id = (...args: string[]) =>
    Number(execFileSync('id', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  for (const name of ['postgres', 'nobody']) {
    try {
      return { uid: id('-u', name), gid: id('-g', name) }
    } catch {} // The account does not exist.
  }
  throw new Error('the tests run as root, and there is no account to run PostgreSQL under')
}

async function untilReady(running: ChildProcess): Promise<void> {
  const said: string[] = []
  const lines = createInterface({ input: running.stderr! })
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      said.push(line)
      if (/ready to accept (read-only |read only )?connections/.test(line)) resolve()
    })
    running.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${said.join('\n')}`)))
  })
  lines.close()
  running.stderr!.resume()
}
