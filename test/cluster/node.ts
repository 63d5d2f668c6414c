import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../free-port'
import type { Network } from './network'
import { listTree, type Service, type Workplace } from './processes'
import { findPostgresFolder, findProgram } from './programs'

export const SUPERUSER = 'studio_test'

export interface NodeOptions {
  etcdPorts: readonly number[]
  /** The version of etcd's API that Patroni uses. */
  etcdApi: 2 | 3
  /** Null connects all directly. */
  network: Network | null
}

/** A machine with a PostgreSQL server and the Patroni that runs it. */
export interface Node {
  name: string
  /** Where all other machines reach the server, and Patroni's REST interface. */
  host: string
  restPort: number
  /** Where a program on the same machine reaches the server. */
  localHost: string
  /** The processes on the machine. */
  listPids(): number[]
  /** Declares that another program runs on the machine. */
  addProgram(pid: number): void
  /** Starts Patroni, which starts the server. */
  start(): void
  /** Kills both at once, as when the machine fails. */
  kill(): Promise<void>
  /** Stops both without closing a connection, as when a virtual machine is paused. `resume` ends that. */
  freeze(): void
  resume(): void
  /** Cuts the network of the machine, which continues to run. `heal` ends that. */
  cutOff(): void
  heal(): void
}

export async function startNode(name: string, workplace: Workplace, options: NodeOptions): Promise<Node> {
  const { folder, own, write, run } = workplace
  const { network } = options
  const data = join(folder, name)
  mkdirSync(data, { mode: 0o700 })
  own(data)
  const [port, rest] = [await freePort(), await freePort()]
  let patroni: Service | null = null
  const programs: number[] = []
  const listPids = () => {
    const roots = [patroni?.pid, readServerPid(join(data, 'data')), ...programs].filter((pid) => pid !== undefined)
    return listTree(roots).map(({ pid }) => pid)
  }
  network?.addMachine(name, listPids)
  const addresses = {
    port,
    rest,
    publicPort: (await network?.reach(name, port)) ?? port,
    publicRest: (await network?.reach(name, rest)) ?? rest,
    etcdPorts: await Promise.all(options.etcdPorts.map(async (etcd) => (await network?.leave(name, etcd)) ?? etcd)),
  }
  const settings = patroniSettings({ name, data, folder, etcdApi: options.etcdApi, ...addresses })
  patroni = run(name, findProgram('patroni')!, [write(`${name}.yml`, settings)])
  const signalAll = (signal: NodeJS.Signals) => {
    for (const pid of listPids()) {
      try {
        process.kill(pid, signal)
      } catch {} // It has ended.
    }
  }
  return {
    name,
    host: `127.0.0.1:${addresses.publicPort}`,
    restPort: addresses.publicRest,
    localHost: `127.0.0.1:${port}`,
    listPids,
    addProgram: (pid) => void programs.push(pid),
    start: () => patroni.start(),
    async kill() {
      signalAll('SIGKILL')
      await patroni.kill()
    },
    freeze: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    cutOff: () => network!.cutOff(name),
    heal: () => network!.heal(name),
  }
}

/** The shortest times that Patroni accepts: it notices a dead primary after `ttl` seconds. */
function patroniSettings(node: {
  name: string
  data: string
  folder: string
  port: number
  rest: number
  publicPort: number
  publicRest: number
  etcdPorts: readonly number[]
  etcdApi: 2 | 3
}): string {
  const { name, data, folder } = node
  const hosts = node.etcdPorts.map((port) => `127.0.0.1:${port}`)
  return JSON.stringify({
    scope: 'studio',
    name,
    restapi: { listen: `127.0.0.1:${node.rest}`, connect_address: `127.0.0.1:${node.publicRest}` },
    // As with proxies, Patroni does not look for other addresses of etcd, which would bypass the network of the test.
    [node.etcdApi === 2 ? 'etcd' : 'etcd3']: { hosts, use_proxies: true },
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
      listen: `127.0.0.1:${node.port}`,
      connect_address: `127.0.0.1:${node.publicPort}`,
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

function readServerPid(data: string): number | undefined {
  try {
    return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return undefined
  }
}
