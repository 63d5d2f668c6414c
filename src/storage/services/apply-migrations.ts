import { type Kysely, sql } from 'kysely'
import { StudioError } from '../../kernel'
import type { Place } from '../../kernel/errors'
import type { Engine } from './database'

/**
 * A step of the schema. Steps are applied once, in order, and never edited, moved or removed after a release. Column types are SQLite's.
 * In PostgreSQL an `integer` is a `bigint`, a `text` is compared by its bytes, and `autoIncrement` is an identity.
 */
export interface Migration {
  /** `0001-items`, unique. */
  name: string
  /** @param engine for features that only one engine has, such as exclusion constraints. */
  up(db: Kysely<any>, engine: Engine): Promise<void>
}

/** The number of applied migrations. Fails if the table of migrations does not exist. */
export async function countMigrations(db: Kysely<any>): Promise<number> {
  const { rows } = await sql<{ version: number }>`select count(*) as version from schema_migration`.execute(db)
  return Number(rows[0]?.version ?? 0)
}

/** Applies the missing migrations in the caller's transaction: all or none. */
export async function applyMigrations(db: Kysely<any>, migrations: readonly Migration[]): Promise<void> {
  await createMigrationTable(db)
  await applyMigrationsFrom(await countMigrations(db), migrations, { db, engine: 'sqlite' })
}

export async function createMigrationTable(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('schema_migration')
    .ifNotExists()
    .addColumn('position', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .execute()
}

/** Applies the migrations from position `version` on. */
export async function applyMigrationsFrom(
  version: number,
  migrations: readonly Migration[],
  { db, engine }: { db: Kysely<any>; engine: Engine },
): Promise<void> {
  for (const [position, migration] of migrations.entries()) {
    if (position < version) continue
    await migration.up(db, engine)
    await db.insertInto('schema_migration').values({ position, name: migration.name }).execute()
  }
}

/** The place in an error that names a database by its file, or as `The database postgres://…`. */
export function placeOf(where: string): Place {
  const [, text] = /^The ((?:database|replica) .*)/.exec(where) ?? []
  return text === undefined ? { text: where, name: 'the database file' } : { text, name: text.split(' ')[0]! }
}

/** @param where the file, or `The database postgres://…`. */
export function databaseTooNewError(where: string): StudioError {
  return new StudioError('database_too_new', `${where} was written by a newer version of studio.`, {
    hint: 'Install the newest version: npm install --global story-studio',
    places: [placeOf(where)],
  })
}
