import type { Migration } from '../../services/apply-migrations'
import { Connection } from '../engine/connection'
import { createEmptyDatabase } from '../engine/open-file'
import { damagedError } from '../storage-errors'

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
  /** Objects that no migration creates. Statements of studio would run their triggers and views, and maintain their indexes. */
  foreign: SchemaObject[]
  /** Objects that a migration creates and that are missing, or exist in another form. */
  missing: SchemaObject[]
}

/** Limits for messages: a foreign file may contain any number of objects, with names of any length. */
const MAX_NAMES = 10
const MAX_NAME_LENGTH = 80

/**
 * Compares the schema with the one that the migrations create up to the step of the database. Tables are compared by name only.
 * Finds nothing if the step is 0 or unknown, because this version of studio did not create such a database.
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
  return {
    foreign: found.filter((object) => !isIn(expected, object)),
    missing: expected.filter((object) => !isIn(found, object)),
  }
}

export function hasDifferences({ foreign, missing }: SchemaDifferences): boolean {
  return foreign.length > 0 || missing.length > 0
}

/** Removes what is foreign, then creates what is missing: tables first, empty. Throws `database_damaged` if SQLite refuses to. */
export function repairSchema(connection: Connection, { foreign, missing }: SchemaDifferences, path: string): void {
  try {
    if (foreign.length > 0) correctTypeSpelling(connection)
    // Rows of a foreign table may refer to each other, and to rows of other tables.
    connection.runScript('pragma foreign_keys = off')
    // Dropping a table or a view also drops its triggers and indexes.
    for (const type of ['trigger', 'index', 'view', 'table'])
      for (const object of foreign)
        if (object.type === type) connection.runScript(`drop ${type} if exists ${quoteName(object.name)}`)
    for (const { sql } of missing) connection.runScript(sql)
    connection.runScript('pragma foreign_keys = on')
  } catch (error) {
    throw damagedError(path, null, `its schema cannot be repaired: ${(error as Error).message}`, error)
  }
}

/**
 * Gives entries of the schema table in which letters have changed the text of the migrations. SQLite reads no table of a schema that it
 * does not understand.
 */
export async function correctSchemaTexts(connection: Connection, migrations: readonly Migration[]): Promise<void> {
  connection.acceptAnySchema()
  const found = connection.run<SchemaObject & { id: number }>(
    'select rowid as id, type, name, tbl_name, sql from sqlite_master where sql is not null',
  ).rows
  for (const object of await listExpectedObjects(migrations)) {
    const text = toText(object)
    if (found.some((other) => toText(other) === text)) continue
    const damaged = found.find((other) => hasFewChanges(toText(other), text))
    if (damaged === undefined) continue
    const { type, name, tbl_name, sql } = object
    connection.run('update sqlite_master set type = ?, name = ?, tbl_name = ?, sql = ? where rowid = ?', [
      ...[type, name, tbl_name, sql],
      damaged.id,
    ])
  }
  connection.runScript('pragma writable_schema = reset')
}

function toText({ type, name, tbl_name, sql }: SchemaObject): string {
  return [type, name, tbl_name, sql].join('\n')
}

/** Letters that change leave the length as it is. */
function hasFewChanges(text: string, before: string): boolean {
  if (text.length !== before.length) return false
  let changes = 0
  for (let i = 0; i < text.length; i++) if (text[i] !== before[i]) changes++
  return changes <= text.length * MAX_CHANGES
}

/** The share of letters. Names of similar objects differ in more. */
const MAX_CHANGES = 0.05

/**
 * SQLite runs an object whose type was written as `TRIGGER` into the schema table, but dropping the object leaves that row, so that it
 * would be there again at the next start.
 */
function correctTypeSpelling(connection: Connection): void {
  connection.runScript(`
    pragma writable_schema = on;
    update sqlite_master set type = lower(type) where type <> lower(type);
    pragma writable_schema = reset`)
}

/** The names of tables among the missing objects: their rows are lost. */
export function listMissingTables({ missing }: SchemaDifferences): string[] {
  return missing.flatMap(({ type, name }) => (type === 'table' ? [name] : []))
}

/** `trigger spy on draft`, `view secrets`, `table extra`. */
export function describeObjects(objects: readonly SchemaObject[]): string[] {
  const names = objects.slice(0, MAX_NAMES).map(({ type, name, tbl_name }) => {
    return tbl_name === name ? `${type} ${shorten(name)}` : `${type} ${shorten(name)} on ${shorten(tbl_name)}`
  })
  return objects.length > MAX_NAMES ? [...names, `${objects.length - MAX_NAMES} more`] : names
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

/** Tables are not compared by their SQL, because SQLite rewrites it with each column that is added. */
function isSameObject(a: SchemaObject, b: SchemaObject): boolean {
  if (a.type !== b.type || a.name !== b.name || a.tbl_name !== b.tbl_name) return false
  return a.type === 'table' || withoutSpace(a.sql) === withoutSpace(b.sql)
}

function withoutSpace(sql: string): string {
  return sql.replace(/\s+/g, ' ').trim()
}

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function shorten(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name
}
