import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Etcd, startEtcd } from './etcd'
import { Network } from './network'
import { type Node, SUPERUSER, startNode } from './node'
import { openWorkplace } from './processes'
import { type Router, startRouter } from './router'

const NODES = ['node1', 'node2', 'node3']
const POLL_MS = 100

export interface Cluster {
  /** The programs and everything that they write is in it. A program whose environment names it ends with the cluster. */
  folder: string
  nodes: readonly Node[]
  etcd: Etcd
  router: Router
  /** Lists all servers. */
  address: string
  /** Through PgBouncer in transaction mode, and HAProxy, which forwards to the primary. */
  pooledAddress: string
  /** Lists all servers, for a program on the machine of this node, which reaches its server also while the machine is cut off. */
  addressOn(node: Node): string
  /** The node that accepts writes; null while there is none. */
  findPrimary(): Promise<Node | null>
  /** Waits until another node than this accepts writes. */
  waitForOtherPrimary(node: Node): Promise<Node>
  /** Waits until a primary accepts writes, the others follow it, and one of them can take over. A fault before that is a second one. */
  waitUntilHealthy(): Promise<void>
  waitFor(what: string, check: () => Promise<boolean>): Promise<void>
  query(sql: string): Promise<any[]>
  queryOn(node: Node, sql: string): Promise<any[]>
  remove(): Promise<void>
}

export interface ClusterOptions {
  etcdApi?: 2 | 3
  /** Whether machines can be cut off. It costs processor time for each byte. */
  hasNetwork?: boolean
}

/** Starts etcd, Patroni with three servers that replicate synchronously, HAProxy and PgBouncer, on loopback, without root. */
export async function startCluster({ etcdApi = 2, hasNetwork = true }: ClusterOptions = {}): Promise<Cluster> {
  const workplace = await openWorkplace()
  const { folder } = workplace
  const network = hasNetwork ? new Network() : null
  const remove = async () => {
    await workplace.remove()
    network?.close()
  }
  try {
    const etcd = await startEtcd(workplace)
    const options = { etcdPorts: etcd.ports, etcdApi, network }
    const nodes: Node[] = []
    for (const name of NODES) nodes.push(await startNode(name, workplace, options))
    const router = await startRouter(workplace, nodes)
    const cluster = describeCluster(folder, nodes)
    await cluster.waitUntilHealthy()
    await createDatabase(cluster)
    return { ...cluster, etcd, router, remove, pooledAddress: addressOf([`127.0.0.1:${router.port}`]) }
  } catch (error) {
    await remove()
    throw error
  }
}

function describeCluster(folder: string, nodes: readonly Node[]) {
  const readLogs = () =>
    nodes.map(({ name }) => `${name}:\n${readFileSync(join(folder, `${name}.log`), 'utf8').slice(-3_000)}`).join('\n')
  const watch: Cluster['waitFor'] = (what, check) =>
    waitFor(what, check).catch((error) => {
      throw new Error(`${(error as Error).message}\n${readLogs()}`)
    })
  return {
    folder,
    nodes,
    address: addressOf(nodes.map(({ host }) => host)),
    addressOn: (local: Node) => addressOf(nodes.map((node) => (node === local ? node.localHost : node.host))),
    findPrimary: () => findPrimary(nodes),
    waitFor: watch,
    query: (sql: string) => queryPrimary(nodes, sql, { timeoutMs: 60_000 }),
    queryOn: ({ host }: Node, sql: string) => queryAt(host, sql),
    async waitForOtherPrimary(former: Node) {
      let found: Node | null = null
      const others = nodes.filter((node) => node !== former)
      await watch('new primary', async () => {
        found = await findPrimary(others)
        return found !== null
      })
      return found!
    },
    async waitUntilHealthy() {
      const sql = "select 1 from pg_stat_replication where state = 'streaming'"
      await watch('healthy cluster', async () => {
        const standbys = await queryPrimary(nodes, sql, { database: 'postgres' }).catch(() => [])
        return standbys.length === nodes.length - 1 && (await isReadyForFailover(nodes))
      })
    },
  }
}

/** The address of the database on one of the servers. */
export function addressOf(hosts: readonly string[]): string {
  const parameters = hosts.length > 1 ? '?target_session_attrs=read-write' : ''
  return `postgres://${SUPERUSER}@${hosts.join(',')}/studio${parameters}`
}

/** It copies a whole database and waits for a standby, which takes long on a busy machine; an attempt without an answer may have succeeded. */
async function createDatabase({ nodes, waitFor }: Pick<Cluster, 'nodes' | 'waitFor'>): Promise<void> {
  const run = (sql: string) => queryPrimary(nodes, sql, { database: 'postgres', timeoutMs: 60_000 })
  await waitFor('database', async () => {
    try {
      const [existing] = await run("select from pg_database where datname = 'studio'")
      if (!existing) await run('create database studio')
      return true
    } catch {
      return false
    }
  })
}

/**
 * Whether Patroni sees all servers on one timeline and has chosen a synchronous standby, which is the only one that it promotes. A server
 * that has to be rewound also streams for a moment.
 */
async function isReadyForFailover(nodes: readonly Node[]): Promise<boolean> {
  const request = { signal: AbortSignal.timeout(2_000) }
  try {
    const response = await fetch(`http://127.0.0.1:${nodes[0]!.restPort}/cluster`, request)
    const { members } = (await response.json()) as { members: { role: string; state: string; timeline?: number }[] }
    const running = members.filter(({ state }) => ['running', 'streaming'].includes(state))
    const timelines = new Set(running.map(({ timeline }) => timeline))
    return (
      running.length === nodes.length && timelines.size === 1 && running.some(({ role }) => role === 'sync_standby')
    )
  } catch {
    return false
  }
}

interface QueryOptions {
  database?: string
  timeoutMs?: number
}

async function queryPrimary(nodes: readonly Node[], sql: string, options?: QueryOptions): Promise<any[]> {
  const primary = await findPrimary(nodes)
  if (!primary) throw new Error('the cluster has no primary')
  return queryAt(primary.host, sql, options)
}

async function queryAt(
  host: string,
  sql: string,
  { database = 'studio', timeoutMs = 5_000 }: QueryOptions = {},
): Promise<any[]> {
  const client = new pg.Client({
    connectionString: `postgres://${SUPERUSER}@${host}/${database}`,
    connectionTimeoutMillis: 1_000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query({ text: sql, query_timeout: timeoutMs } as { text: string })).rows
  } finally {
    void client.end().catch(() => {})
  }
}

/** The node that accepts writes on the newest timeline: a former primary may believe for a moment that it still is one. */
async function findPrimary(nodes: readonly Node[]): Promise<Node | null> {
  const sql = 'select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline where not pg_is_in_recovery()'
  const found = await Promise.all(
    nodes.map(async (node) => {
      const [row] = await queryAt(node.host, sql, { database: 'postgres' }).catch(() => [])
      return row ? [{ node, timeline: String(row.timeline) }] : []
    }),
  )
  return found.flat().sort((a, b) => (a.timeline < b.timeline ? 1 : -1))[0]?.node ?? null
}

const LONGEST_WAIT_MS = 300_000

async function waitFor(what: string, check: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LONGEST_WAIT_MS
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error(`there was no ${what} within ${LONGEST_WAIT_MS / 1000} seconds`)
    await sleep(POLL_MS)
  }
}
