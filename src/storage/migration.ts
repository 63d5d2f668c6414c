import { type Kysely, sql } from 'kysely'
import { StudioError } from '../kernel'

/** A step of the schema. Steps are applied in order, once, and never edited after a release. */
export interface Migration {
  /** `0001-workspace`, unique. */
  name: string
  up(db: Kysely<any>): Promise<void>
}

/** How many migrations the database has had; 0 for an empty one. */
export async function versionOf(db: Kysely<any>, path: string | null): Promise<number> {
  try {
    const { rows } = await sql<{ version: number }>`select count(*) as version from schema_migration`.execute(db)
    return Number(rows[0]?.version ?? 0)
  } catch (error) {
    if (error instanceof Error && /no such table/i.test(error.message)) return 0
    throw new StudioError('database_damaged', `${path ?? 'The database'} cannot be read as a database.`, {
      hint: 'Move it aside and run the command again, or set STUDIO_DB to another file.',
      cause: error,
    })
  }
}

/** Applies what is missing. Runs inside the caller's transaction: all steps or none. */
export async function migrate(db: Kysely<any>, migrations: readonly Migration[], path: string | null): Promise<void> {
  await db.schema
    .createTable('schema_migration')
    .ifNotExists()
    .addColumn('position', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .execute()
  const done = await versionOf(db, path)
  for (const [position, migration] of migrations.entries()) {
    if (position < done) continue
    await migration.up(db)
    await db.insertInto('schema_migration').values({ position, name: migration.name }).execute()
  }
}
