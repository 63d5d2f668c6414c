import type { Migration } from '../services/apply-migrations'
import { Connection } from './connection'
import { createEmptyDatabase } from './open-file'

/** A row of `sqlite_master`. */
interface SchemaObject {
  type: string
  name: string
  /** The table or view that it belongs to. */
  tbl_name: string
  sql: string
}

/** How a database differs from one that the migrations alone have made. */
export interface SchemaDifferences {
  /** Triggers and views that no migration creates: each statement of studio would run them. */
  foreign: SchemaObject[]
  /** Tables, triggers and views that a migration creates and that are missing, or are there in another form; with their indexes. */
  missing: SchemaObject[]
}

/** At most so many are named; a file from elsewhere may hold any number. */
const MOST_NAMES = 10
const MOST_LETTERS = 80

/**
 * Compares the triggers and views with those that the migrations make up to the step of the database. Of tables it compares the names
 * alone. Finds nothing where the step is 0 or unknown, because such a database is not one of this version of studio.
 */
export async function findSchemaDifferences(
  connection: Connection,
  migrations: readonly Migration[],
): Promise<SchemaDifferences> {
  const steps = connection.countSchemaSteps()
  if (steps === 0 || steps > migrations.length) return { foreign: [], missing: [] }
  const expected = await listExpectedObjects(migrations.slice(0, steps))
  const found = listObjects(connection)
  const isIn = (objects: readonly SchemaObject[], wanted: SchemaObject) =>
    objects.some((object) => isSameObject(object, wanted))
  const missing = expected.filter((object) => object.type !== 'index' && !isIn(found, object))
  const missingTables = new Set(missing.flatMap(({ type, name }) => (type === 'table' ? [name] : [])))
  return {
    foreign: found.filter((object) => isCode(object) && !isIn(expected, object)),
    missing: expected.filter(
      (object) => missing.includes(object) || (object.type === 'index' && missingTables.has(object.tbl_name)),
    ),
  }
}

export function hasDifferences({ foreign, missing }: SchemaDifferences): boolean {
  return foreign.length > 0 || missing.length > 0
}

/** Removes what is foreign, then creates what is missing: tables first, empty. */
export function repairSchema(connection: Connection, { foreign, missing }: SchemaDifferences): void {
  if (foreign.length > 0) removeMisspelledTypes(connection)
  // A view takes its triggers with it.
  for (const type of ['trigger', 'view'])
    for (const object of foreign)
      if (object.type === type) connection.runScript(`drop ${type} if exists ${quoteName(object.name)}`)
  for (const { sql } of missing) connection.runScript(sql)
}

/**
 * SQLite runs a trigger whose type was written as `TRIGGER` into the schema table, and does not delete its row when the trigger is
 * dropped: it would be there again at the next start.
 */
function removeMisspelledTypes(connection: Connection): void {
  connection.runScript(`
    pragma writable_schema = on;
    delete from sqlite_master where lower(type) in ('trigger', 'view') and type not in ('trigger', 'view');
    pragma writable_schema = reset`)
}

/** The names of tables among the missing objects: their rows are lost. */
export function listMissingTables({ missing }: SchemaDifferences): string[] {
  return missing.flatMap(({ type, name }) => (type === 'table' ? [name] : []))
}

/** `trigger spy on draft`, `view secrets`. */
export function describeObjects(objects: readonly SchemaObject[]): string[] {
  const names = objects.slice(0, MOST_NAMES).map(({ type, name, tbl_name }) => {
    return type === 'trigger' ? `trigger ${shorten(name)} on ${shorten(tbl_name)}` : `${type} ${shorten(name)}`
  })
  return objects.length > MOST_NAMES ? [...names, `${objects.length - MOST_NAMES} more`] : names
}

async function listExpectedObjects(migrations: readonly Migration[]): Promise<SchemaObject[]> {
  const blank = await Connection.open(await createEmptyDatabase(migrations))
  try {
    return listObjects(blank)
  } finally {
    blank.close()
  }
}

function listObjects(connection: Connection): SchemaObject[] {
  return connection.run<SchemaObject>(
    `select lower(type) as type, name, tbl_name, sql from sqlite_master
     where sql is not null and not (lower(type) = 'table' and name like 'sqlite@_%' escape '@') order by rowid`,
  ).rows
}

function isCode({ type }: SchemaObject): boolean {
  return type === 'trigger' || type === 'view'
}

/** SQLite keeps a statement as it was written. Of a table the form changes with each column that is added, in the words of the engine. */
function isSameObject(a: SchemaObject, b: SchemaObject): boolean {
  if (a.type !== b.type || a.name !== b.name) return false
  return !isCode(a) || (a.tbl_name === b.tbl_name && withoutSpace(a.sql) === withoutSpace(b.sql))
}

function withoutSpace(sql: string): string {
  return sql.replace(/\s+/g, ' ').trim()
}

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function shorten(name: string): string {
  return name.length > MOST_LETTERS ? `${name.slice(0, MOST_LETTERS)}…` : name
}
