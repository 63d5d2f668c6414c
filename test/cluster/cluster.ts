import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  accessSync,
  chownSync,
  constants,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort, postgresPrograms, serverAccount } from '../storage/postgres/server'

const SUPERUSER = 'studio_test'
const NODES = 3

/** The programs of a cluster, which Debian has as packages of these names. */
const programs = { patroni: 'patroni', etcd: 'etcd', haproxy: 'haproxy', pgbouncer: 'pgbouncer' }

function findProgram(name: string): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  const isProgram = (path: string) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  }
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null
}

/** The folder with all programs of PostgreSQL: that of the PATH may have links to some. */
const findPostgresFolder = () => dirname(realpathSync(join(postgresPrograms()!, 'postgres')))

/** The names of programs that a cluster needs and that are not installed. */
export function listMissingPrograms(): string[] {
  const missing = Object.keys(programs).filter((name) => findProgram(name) === null)
  return postgresPrograms() === null ? ['postgres', ...missing] : missing
}

/** A PostgreSQL server and the Patroni that runs it. */
export interface Node {
  name: string
  /** As studio's address names it. */
  host: string
  /** Starts Patroni, which starts the server. */
  start(): void
  /** Kills both at once, as when the machine fails. */
  kill(): Promise<void>
  /** Stops both without closing a connection, as when the network is cut. `resume` ends that. */
  freeze(): void
  resume(): void
}

export interface Cluster {
  nodes: readonly Node[]
  /** Lists all servers. */
  address: string
  /** Through PgBouncer in transaction mode, and HAProxy, which forwards to the primary. */
  pooledAddress: string
  /** The node that accepts writes; null while there is none. */
  findPrimary(): Promise<Node | null>
  /** Waits until a primary accepts writes and the others follow it, one of them synchronously. */
  waitUntilHealthy(): Promise<void>
  waitForPrimary(isWanted: (primary: Node) => boolean): Promise<void>
  waitFor(what: string, check: () => Promise<boolean>): Promise<void>
  query(sql: string): Promise<any[]>
  restartPgBouncer(): Promise<void>
  /** Kills the leader of etcd; returns what starts it again. */
  killEtcdLeader(): Promise<() => void>
  remove(): Promise<void>
}

interface Service {
  process: ChildProcess | null
  start(): void
  kill(signal?: NodeJS.Signals): Promise<void>
}

/** Starts etcd, Patroni with three servers that replicate synchronously, HAProxy and PgBouncer, on loopback, without root. */
export async function startCluster(): Promise<Cluster> {
  const account = await serverAccount()
  const folder = await mkdtemp(join(tmpdir(), 'studio-cluster-'))
  const own = (path: string) => account.uid !== undefined && chownSync(path, account.uid, account.gid!)
  own(folder)
  const services: Service[] = []
  const run = (name: string, program: string, args: readonly string[]): Service => {
    const service: Service = {
      process: null,
      start() {
        const log = openSync(join(folder, `${name}.log`), 'a')
        const { PATH = '' } = process.env
        service.process = spawn(program, args, {
          ...account,
          cwd: folder,
          env: { PATH: `${PATH}:${findPostgresFolder()}`, LC_ALL: 'C', HOME: folder },
          stdio: ['ignore', log, log],
        })
      },
      async kill(signal = 'SIGKILL') {
        const running = service.process
        if (!running || running.exitCode !== null || running.signalCode !== null) return
        const ended = new Promise((resolve) => running.once('exit', resolve))
        running.kill(signal)
        await ended
      },
    }
    services.push(service)
    service.start()
    return service
  }
  const write = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    own(path)
    return path
  }

  const etcds = await startEtcd(run, folder)
  const ports = await Promise.all(
    Array.from({ length: NODES }, async () => [await freePort(), await freePort()] as const),
  )
  const nodes = ports.map(([port, rest], index) => {
    const name = `node${index + 1}`
    const data = join(folder, name)
    mkdirSync(data, { mode: 0o700 })
    own(data)
    const file = write(`${name}.yml`, patroniSettings({ name, data, port, rest, folder, etcds: etcds.clients }))
    const patroni = run(name, findProgram('patroni')!, [file])
    return createNode({ name, data, port, patroni })
  })
  const routed = await freePort()
  const haproxy = write('haproxy.cfg', haproxySettings(routed, ports))
  run('haproxy', findProgram('haproxy')!, ['-f', haproxy, '-db'])
  const pooled = await freePort()
  write('users.txt', `"${SUPERUSER}" ""\n`)
  const bouncer = run('pgbouncer', findProgram('pgbouncer')!, [
    write('pgbouncer.ini', bouncerSettings(pooled, routed, folder)),
  ])

  const readLogs = () =>
    nodes.map(({ name }) => `${name}:\n${readFileSync(join(folder, `${name}.log`), 'utf8').slice(-3_000)}`).join('\n')
  const watch: Cluster['waitFor'] = (what, check) =>
    waitFor(what, check).catch((error) => {
      throw new Error(`${(error as Error).message}\n${readLogs()}`)
    })
  const query = async (sql: string, database = 'studio') => {
    const primary = await findPrimary(nodes)
    if (!primary) throw new Error('the cluster has no primary')
    return queryAt(primary.host, sql, database)
  }
  const cluster: Cluster = {
    nodes,
    address: `postgres://${SUPERUSER}@${nodes.map(({ host }) => host).join(',')}/studio?target_session_attrs=read-write`,
    pooledAddress: `postgres://${SUPERUSER}@127.0.0.1:${pooled}/studio`,
    findPrimary: () => findPrimary(nodes),
    waitFor: watch,
    waitForPrimary: (isWanted) =>
      watch('new primary', async () => {
        const primary = await findPrimary(nodes)
        return primary !== null && isWanted(primary)
      }),
    waitUntilHealthy: () =>
      watch('healthy cluster', async () => {
        const states = await query(
          "select sync_state from pg_stat_replication where state = 'streaming'",
          'postgres',
        ).catch(() => [])
        return states.length === NODES - 1 && states.some(({ sync_state }) => sync_state === 'sync')
      }),
    query: async (sql) => query(sql),
    async restartPgBouncer() {
      await bouncer.kill()
      bouncer.start()
    },
    killEtcdLeader: etcds.killLeader,
    async remove() {
      for (const node of nodes) await node.kill()
      for (const service of services) await service.kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
  try {
    await cluster.waitUntilHealthy()
    await query('create database studio', 'postgres')
    return cluster
  } catch (error) {
    await cluster.remove()
    throw error
  }
}

type Run = (name: string, program: string, args: readonly string[]) => Service

async function startEtcd(run: Run, folder: string) {
  const members = await Promise.all(
    Array.from({ length: 3 }, async (_, i) => ({
      name: `etcd${i + 1}`,
      client: await freePort(),
      peer: await freePort(),
    })),
  )
  const all = members.map(({ name, peer }) => `${name}=http://127.0.0.1:${peer}`).join(',')
  const running = members.map(({ name, client, peer }) =>
    run(name, findProgram('etcd')!, [
      ...[
        '--name',
        name,
        '--data-dir',
        join(folder, name),
        '--initial-cluster',
        all,
        '--initial-cluster-state',
        'new',
        '--enable-v2',
      ],
      ...[
        '--listen-client-urls',
        `http://127.0.0.1:${client}`,
        '--advertise-client-urls',
        `http://127.0.0.1:${client}`,
      ],
      ...[
        '--listen-peer-urls',
        `http://127.0.0.1:${peer}`,
        '--initial-advertise-peer-urls',
        `http://127.0.0.1:${peer}`,
      ],
    ]),
  )
  const isLeader = async (port: number) => {
    const response = await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => null)
    return response !== null && /^etcd_server_is_leader 1$/m.test(await response.text())
  }
  return {
    clients: members.map(({ client }) => `127.0.0.1:${client}`),
    async killLeader() {
      for (;;) {
        const leaders = await Promise.all(members.map(({ client }) => isLeader(client)))
        const index = leaders.indexOf(true)
        if (index < 0) {
          await sleep(200)
          continue
        }
        await running[index]!.kill()
        return () => running[index]!.start()
      }
    },
  }
}

/** The shortest times that Patroni accepts: it notices a dead primary after `ttl` seconds. */
function patroniSettings(node: {
  name: string
  data: string
  port: number
  rest: number
  folder: string
  etcds: readonly string[]
}): string {
  const { name, data, port, rest, folder, etcds } = node
  return JSON.stringify({
    scope: 'studio',
    name,
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    // With the version 3 API, Patroni 3.0.2 lets a primary that was cut off take the lock back from a node that was promoted meanwhile.
    etcd: { hosts: etcds },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 5,
        retry_timeout: 5,
        synchronous_mode: true,
        // Without a synchronous standby nothing is confirmed: confirmed writes must be on two machines.
        synchronous_mode_strict: true,
        postgresql: {
          use_pg_rewind: true,
          parameters: { max_connections: 100, shared_buffers: '64MB', max_wal_senders: 10, wal_keep_size: '256MB' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(data, 'data'),
      bin_dir: findPostgresFolder(),
      pgpass: join(folder, `${name}.pgpass`),
      authentication: {
        superuser: { username: SUPERUSER },
        replication: { username: 'replicator' },
        rewind: { username: 'rewinder' },
      },
      parameters: { unix_socket_directories: folder },
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust', 'local all all trust'],
    },
  })
}

function haproxySettings(port: number, nodes: readonly (readonly [port: number, rest: number])[]): string {
  const servers = nodes.map(([node, rest], i) => `  server node${i + 1} 127.0.0.1:${node} check port ${rest}`)
  return `global
  maxconn 500
defaults
  mode tcp
  timeout connect 2s
  timeout client 60m
  timeout server 60m
  timeout check 2s
listen primary
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`
}

function bouncerSettings(port: number, routed: number, folder: string): string {
  return `[databases]
* = host=127.0.0.1 port=${routed}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
max_client_conn = 200
default_pool_size = 20
server_login_retry = 1
query_wait_timeout = 10
ignore_startup_parameters = extra_float_digits
`
}

function createNode({
  name,
  data,
  port,
  patroni,
}: {
  name: string
  data: string
  port: number
  patroni: Service
}): Node {
  const listProcesses = () => {
    const server = readServerPid(join(data, 'data'))
    return [patroni.process?.pid, ...(server === null ? [] : [server, ...listChildren(server)])].filter(
      (pid): pid is number => pid !== undefined,
    )
  }
  const signalAll = (signal: NodeJS.Signals) => {
    for (const pid of listProcesses()) {
      try {
        process.kill(pid, signal)
      } catch {} // It has ended.
    }
  }
  return {
    name,
    host: `127.0.0.1:${port}`,
    start: () => patroni.start(),
    async kill() {
      signalAll('SIGKILL')
      await patroni.kill()
    },
    freeze: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
  }
}

function readServerPid(data: string): number | null {
  try {
    return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return null
  }
}

function listChildren(pid: number): number[] {
  try {
    return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .split('\n')
      .filter(Boolean)
      .map(Number)
  } catch {
    return []
  }
}

async function queryAt(host: string, sql: string, database: string): Promise<any[]> {
  const client = new pg.Client({
    connectionString: `postgres://${SUPERUSER}@${host}/${database}`,
    connectionTimeoutMillis: 1_000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query({ text: sql, query_timeout: 5_000 } as { text: string })).rows
  } finally {
    void client.end().catch(() => {})
  }
}

/** The node that accepts writes on the newest timeline: a former primary may believe for a moment that it still is one. */
async function findPrimary(nodes: readonly Node[]): Promise<Node | null> {
  const sql = 'select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline where not pg_is_in_recovery()'
  const found = await Promise.all(
    nodes.map(async (node) => {
      const [row] = await queryAt(node.host, sql, 'postgres').catch(() => [])
      return row ? [{ node, timeline: String(row.timeline) }] : []
    }),
  )
  return found.flat().sort((a, b) => (a.timeline < b.timeline ? 1 : -1))[0]?.node ?? null
}

const LONGEST_WAIT_MS = 180_000

async function waitFor(what: string, check: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LONGEST_WAIT_MS
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error(`there was no ${what} within ${LONGEST_WAIT_MS / 1000} seconds`)
    await sleep(250)
  }
}
