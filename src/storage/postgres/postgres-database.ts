import { StudioError } from '../../kernel'
import { databaseTooNewError, type Migration } from '../services/apply-migrations'
import type { Database, Follower, ReadOptions, ReadTx, WriteOptions, WriteTx } from '../services/database'
import { redactAddress, splitHosts } from '../services/database-address'
import type { ServerState } from '../services/server-state'
import { ClusterPool } from './cluster-pool'
import { isMissingSchemaError, migrateSchema, readSchemaVersion } from './migrate-schema'
import { MAX_CONNECTIONS, openServerPool, type Pool } from './pool'
import { findReadOnlyError, toStudioError } from './postgres-errors'
import { readServerState, readWritability } from './read-server-state'
import { Replicas } from './replicas'
import {
  readTransaction,
  retryTransaction,
  rowLockingWrite,
  runTransaction,
  schemaChange,
  serializableWrite,
  type TransactionKind,
  withFollower,
} from './transaction'

interface ServerOptions {
  /** The address of servers that copy the primary; null for none. */
  replicas: string | null
  follower: Follower | null
}

/** A database on a PostgreSQL server, which any number of processes share. */
export class PostgresDatabase implements Database {
  readonly #where: string
  readonly #isCluster: boolean
  readonly #pool: Pool
  readonly #replicas: Replicas | null
  readonly #follower: Follower | null
  readonly #running = new Set<Promise<unknown>>()
  #closed: Promise<void> | null = null

  private constructor(address: string, { replicas, follower }: ServerOptions) {
    this.#where = `The database ${redactAddress(address)}`
    const servers = splitHosts(address)
    this.#isCluster = servers.length > 1
    this.#pool = this.#isCluster ? new ClusterPool(servers) : openServerPool(address)
    this.#replicas = replicas === null ? null : new Replicas(splitHosts(replicas), this.#pool)
    this.#follower = follower
  }

  /** The role needs the right to create tables only where migrations are missing. */
  static async open(
    address: string,
    migrations: readonly Migration[],
    { replicas = null, follower = null }: Partial<ServerOptions> = {},
  ): Promise<PostgresDatabase> {
    requirePrimary(address)
    const database = new PostgresDatabase(address, { replicas, follower })
    try {
      await database.#bringUpToDate(migrations)
      return database
    } catch (error) {
      await database.close()
      throw error
    }
  }

  async read<R>(work: (tx: ReadTx) => Promise<R>, { mayUseReplica = false }: ReadOptions = {}): Promise<R> {
    const replicas = mayUseReplica ? this.#replicas : null
    if (replicas === null) return this.#run(() => this.#transact(readTransaction, work))
    return this.#run(async () => {
      const read = await replicas.run(work)
      return read ? read.result : this.#transact(readTransaction, work)
    })
  }

  write<R>(
    work: (tx: WriteTx) => Promise<R>,
    { locksRows = false, changesSchema = false }: WriteOptions = {},
  ): Promise<R> {
    const kind = changesSchema ? schemaChange : locksRows ? rowLockingWrite : serializableWrite
    const follower = this.#follower
    if (follower === null) return this.#run(() => this.#transact(kind, work))
    const workAndFollow = async (tx: WriteTx) => {
      const result = await work(tx)
      await follower(tx)
      return result
    }
    return this.#run(() => this.#transact(withFollower(kind), workAndFollow))
  }

  async requireWritable(): Promise<void> {
    const error = findReadOnlyError(await this.read(readWritability), this.#where)
    if (error) throw error
  }

  async inspectServer(): Promise<ServerState> {
    const state = await this.read(readServerState)
    return {
      ...state,
      isCluster: this.#isCluster,
      pool: this.inspectPool(),
      replicas: (await this.#replicas?.inspect()) ?? [],
    }
  }

  inspectPool(): ServerState['pool'] {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return { open: totalCount, idle: idleCount, waiting: waitingCount, max: MAX_CONNECTIONS }
  }

  /** Takes no more transactions, and waits for those under way. */
  close(): Promise<void> {
    this.#closed ??= Promise.allSettled(this.#running).then(async () => {
      await Promise.all([this.#pool.end(), this.#replicas?.end()])
    })
    return this.#closed
  }

  async #bringUpToDate(migrations: readonly Migration[]): Promise<void> {
    const version = await this.read(readSchemaVersion).catch((error) => {
      if (isMissingSchemaError(error)) return 0
      throw error
    })
    if (version > migrations.length) throw databaseTooNewError(this.#where)
    if (version < migrations.length)
      await this.#run(() => this.#transact(schemaChange, (tx) => migrateSchema(tx, migrations)))
  }

  #transact<R>(kind: TransactionKind, work: (tx: WriteTx) => Promise<R>): Promise<R> {
    return runTransaction(this.#pool, kind, work)
  }

  async #run<R>(transaction: () => Promise<R>): Promise<R> {
    if (this.#closed) throw new StudioError('unavailable', 'The database is closed.')
    const running = retryTransaction(transaction)
    this.#running.add(running)
    try {
      return await running
    } catch (error) {
      throw toStudioError(error, this.#where)
    } finally {
      this.#running.delete(running)
    }
  }
}

/** Throws `invalid` if the address asks for another server than the primary. */
function requirePrimary(address: string): void {
  const [, wanted = 'any'] = /[?&]target_session_attrs=([^&]*)/.exec(address) ?? []
  if (['any', 'primary', 'read-write'].includes(wanted)) return
  throw new StudioError('invalid', `target_session_attrs=${wanted} is not possible: studio needs the primary.`, {
    hint: 'Use target_session_attrs=read-write, or leave it out.',
  })
}
