import { StudioError } from '../../kernel'
import { databaseTooNewError, type Migration } from '../services/apply-migrations'
import type { Database, Follower, ReadTx, WriteOptions, WriteTx } from '../services/database'
import { redactAddress, splitHosts } from '../services/database-address'
import { ClusterPool } from './cluster-pool'
import { isMissingSchemaError, migrateSchema, readSchemaVersion } from './migrate-schema'
import { openServerPool, type Pool } from './pool'
import { toStudioError } from './postgres-errors'
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

/** A database on a PostgreSQL server, which any number of processes share. */
export class PostgresDatabase implements Database {
  readonly #where: string
  readonly #pool: Pool
  readonly #follower: Follower | null
  readonly #running = new Set<Promise<unknown>>()
  #closed: Promise<void> | null = null

  private constructor(address: string, follower: Follower | null) {
    this.#where = `The database ${redactAddress(address)}`
    const servers = splitHosts(address)
    this.#pool = servers.length > 1 ? new ClusterPool(servers) : openServerPool(address)
    this.#follower = follower
  }

  /** The role needs the right to create tables only where migrations are missing. */
  static async open(
    address: string,
    migrations: readonly Migration[],
    { follower = null }: { follower?: Follower | null } = {},
  ): Promise<PostgresDatabase> {
    requirePrimary(address)
    const database = new PostgresDatabase(address, follower)
    try {
      await database.#bringUpToDate(migrations)
      return database
    } catch (error) {
      await database.close()
      throw error
    }
  }

  read<R>(work: (tx: ReadTx) => Promise<R>): Promise<R> {
    return this.#run(readTransaction, work)
  }

  write<R>(work: (tx: WriteTx) => Promise<R>, { locksRows = false }: WriteOptions = {}): Promise<R> {
    const kind = locksRows ? rowLockingWrite : serializableWrite
    const follower = this.#follower
    if (follower === null) return this.#run(kind, work)
    return this.#run(withFollower(kind), async (tx) => {
      const result = await work(tx)
      await follower(tx)
      return result
    })
  }

  /** Takes no more transactions, and waits for those under way. */
  close(): Promise<void> {
    this.#closed ??= Promise.allSettled(this.#running).then(() => this.#pool.end())
    return this.#closed
  }

  async #bringUpToDate(migrations: readonly Migration[]): Promise<void> {
    const version = await this.#run(readTransaction, readSchemaVersion).catch((error) => {
      if (isMissingSchemaError(error)) return 0
      throw error
    })
    if (version > migrations.length) throw databaseTooNewError(this.#where)
    if (version < migrations.length) await this.#run(schemaChange, (tx) => migrateSchema(tx, migrations))
  }

  async #run<R>(kind: TransactionKind, work: (tx: WriteTx) => Promise<R>): Promise<R> {
    if (this.#closed) throw new StudioError('unavailable', 'The database is closed.')
    const running = retryTransaction(() => runTransaction(this.#pool, kind, work))
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
