import { AsyncLocalStorage } from 'node:async_hooks'
import { readFile, stat } from 'node:fs/promises'
import type { Kysely } from 'kysely'
import initSqlJs, { type Database as SqlJs } from 'sql.js'
import { StudioError } from '../../kernel'
import { asTx, type Database, type ReadTx, type WriteTx } from '../database'
import { withFileLock } from '../file-lock'
import { fileError, writeFileAtomic } from '../files'
import { type Migration, migrate, versionOf } from '../migration'
import { kyselyOver } from './dialect'

const SQLITE_MAGIC = 'SQLite format 3\0'

/**
 * A database in memory that is, at every acknowledged write, whole in one SQLite file. Processes take turns to write by a
 * lock beside the file, and each reads the file again when another one has replaced it.
 */
export class SqlJsFile implements Database {
  /** Null: in memory alone. */
  readonly #path: string | null
  readonly #kysely: Kysely<any>
  readonly #inside = new AsyncLocalStorage<true>()
  #memory: SqlJs | null = null
  /** What the file looked like when it was last read or written; a rename makes another. */
  #stamp: string | null = null
  #turn: Promise<unknown> = Promise.resolve()

  private constructor(path: string | null) {
    this.#path = path
    this.#kysely = kyselyOver(() => this.#loaded())
  }

  static async open(path: string | null, migrations: readonly Migration[]): Promise<SqlJsFile> {
    const database = new SqlJsFile(path)
    await database.#refresh()
    const version = await versionOf(database.#kysely, path)
    if (version > migrations.length) throw tooNew(path)
    if (version < migrations.length) await database.#change(() => migrate(database.#kysely, migrations, path), 'always')
    return database
  }

  read<R>(work: (tx: ReadTx) => Promise<R>): Promise<R> {
    return this.#inTurn(async () => {
      await this.#refresh()
      return this.#transaction('begin', work)
    })
  }

  write<R>(work: (tx: WriteTx) => Promise<R>): Promise<R> {
    return this.#inTurn(() => this.#change(work, 'if changed'))
  }

  close(): Promise<void> {
    return this.#inTurn(async () => {
      this.#memory?.close()
      this.#memory = null
    })
  }

  /** One transaction at a time: they share one connection, and a reader must not see what is not saved yet. */
  #inTurn<R>(work: () => Promise<R>): Promise<R> {
    if (this.#inside.getStore()) throw new Error('a transaction was opened inside a transaction')
    const result = this.#turn.then(() => this.#inside.run(true, work))
    this.#turn = result.catch(() => {})
    return result
  }

  #change<R>(work: (tx: WriteTx) => Promise<R>, save: 'always' | 'if changed'): Promise<R> {
    if (this.#path === null) return this.#transaction('begin immediate', work)
    const path = this.#path
    return withFileLock(`${path}.lock`, async (lock) => {
      await this.#refresh()
      const before = this.#changes()
      const result = await this.#transaction('begin immediate', work)
      if (save === 'always' || this.#changes() !== before) await this.#save(path, lock.assertHeld)
      return result
    })
  }

  async #save(path: string, assertHeld: () => Promise<void>): Promise<void> {
    try {
      const bytes = this.#loaded().export()
      this.#loaded().run('pragma foreign_keys = on') // an export reopens the connection
      await assertHeld()
      await writeFileAtomic(path, bytes)
      this.#stamp = await stampOf(path)
    } catch (error) {
      this.#forget() // memory is ahead of the disk: read it again
      throw error
    }
  }

  async #transaction<R>(begin: string, work: (tx: WriteTx) => Promise<R>): Promise<R> {
    const memory = this.#loaded()
    memory.run(begin)
    try {
      const result = await work(asTx(this.#kysely))
      memory.run('commit')
      return result
    } catch (error) {
      memory.run('rollback')
      throw error
    }
  }

  async #refresh(): Promise<void> {
    const stamp = this.#path === null ? 'memory' : await stampOf(this.#path)
    if (this.#memory && stamp === this.#stamp) return
    const bytes = this.#path !== null && stamp !== null ? await readDatabaseFile(this.#path) : null
    const { Database: SqlJsDatabase } = await initSqlJs()
    this.#memory?.close()
    this.#memory = new SqlJsDatabase(bytes)
    this.#memory.run('pragma foreign_keys = on')
    this.#stamp = stamp
  }

  #forget(): void {
    this.#memory?.close()
    this.#memory = null
  }

  #loaded(): SqlJs {
    if (!this.#memory) throw new StudioError('unavailable', 'The database is closed.')
    return this.#memory
  }

  #changes(): unknown {
    return this.#loaded().exec('select total_changes()')[0]?.values[0]?.[0]
  }
}

async function stampOf(path: string): Promise<string | null> {
  try {
    const seen = await stat(path, { bigint: true })
    return `${seen.ino}:${seen.size}:${seen.mtimeNs}`
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw fileError(error, path)
  }
}

async function readDatabaseFile(path: string): Promise<Buffer> {
  const bytes = await readFile(path).catch((error) => {
    throw fileError(error, path)
  })
  if (bytes.length === 0 || bytes.subarray(0, SQLITE_MAGIC.length).toString('latin1') === SQLITE_MAGIC) return bytes
  throw new StudioError('database_damaged', `${path} is not a database.`, {
    hint: 'Move it aside and run the command again, or set STUDIO_DB to another file.',
  })
}

function tooNew(path: string | null): StudioError {
  return new StudioError('database_too_new', `${path ?? 'The database'} was written by a newer version of studio.`, {
    hint: 'Install the newest version: npm install --global story-studio',
  })
}
