import { AsyncLocalStorage } from 'node:async_hooks'
import { StudioError } from '../../kernel'
import { shownAddress } from '../address'
import type { Database, ReadTx, WriteOptions, WriteTx } from '../database'
import { type Migration, tooNew } from '../migration'
import { toldFault } from './faults'
import { openPool, type Pool } from './pool'
import { rerun } from './rerun'
import { isWithoutSchema, migrateSchema, schemaVersion } from './schema'
import { changingSchema, reading, type TransactionKind, transact, writingAlone, writingHeldRows } from './transaction'

/** A database on a PostgreSQL server, which any number of processes share. */
export class PostgresDatabase implements Database {
  readonly #where: string
  readonly #pool: Pool
  readonly #inside = new AsyncLocalStorage<true>()
  readonly #underWay = new Set<Promise<unknown>>()
  #closed: Promise<void> | null = null

  private constructor(address: string) {
    this.#where = `The database ${shownAddress(address)}`
    this.#pool = openPool(address)
  }

  /** The role needs the right to create tables only where migrations are missing. */
  static async open(address: string, migrations: readonly Migration[]): Promise<PostgresDatabase> {
    const database = new PostgresDatabase(address)
    try {
      await database.#bringUpToDate(migrations)
      return database
    } catch (error) {
      await database.close()
      throw error
    }
  }

  read<R>(work: (tx: ReadTx) => Promise<R>): Promise<R> {
    return this.#run(reading, work)
  }

  write<R>(work: (tx: WriteTx) => Promise<R>, { holdsRows = false }: WriteOptions = {}): Promise<R> {
    return this.#run(holdsRows ? writingHeldRows : writingAlone, work)
  }

  /** Takes no more transactions, and waits for those under way. */
  close(): Promise<void> {
    this.#closed ??= Promise.allSettled(this.#underWay).then(() => this.#pool.end())
    return this.#closed
  }

  async #bringUpToDate(migrations: readonly Migration[]): Promise<void> {
    const version = await this.#run(reading, schemaVersion).catch((error) => {
      if (isWithoutSchema(error)) return 0
      throw error
    })
    if (version > migrations.length) throw tooNew(this.#where)
    if (version < migrations.length) await this.#run(changingSchema, (tx) => migrateSchema(tx, migrations))
  }

  async #run<R>(kind: TransactionKind, work: (tx: WriteTx) => Promise<R>): Promise<R> {
    if (this.#inside.getStore()) throw new Error('a transaction was opened inside a transaction')
    if (this.#closed) throw new StudioError('unavailable', 'The database is closed.')
    const running = rerun(() => transact(this.#pool, kind, (tx) => this.#inside.run(true, () => work(tx))))
    this.#underWay.add(running)
    try {
      return await running
    } catch (error) {
      throw toldFault(error, this.#where)
    } finally {
      this.#underWay.delete(running)
    }
  }
}
