import { sql } from 'kysely'
import { type ReadTx, tables } from '../services/database'

/** A table as far as its rows must be known to copy them. */
export interface TableShape {
  name: string
  columns: string[]
  /** The columns of the primary key. */
  key: string[]
  /** Columns that name another row of the same table. */
  selfReferences: string[]
  /** Whether the table counts its ids itself. */
  hasAutoIncrement: boolean
}

/** The tables that the migrations make, those first that others refer to. Read from the embedded engine, in which all have the same. */
export async function readTableShapes(blank: ReadTx): Promise<TableShape[]> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select name, sql as definition from sqlite_master
    where type = 'table' and name not like 'sqlite_%' and name <> 'schema_migration' order by rowid`.execute(
    tables(blank),
  )
  const found: (TableShape & { refersTo: string[] })[] = []
  for (const { name, definition } of rows) found.push(await readTableShape(blank, name, definition))
  const ordered: TableShape[] = []
  const isPlaced = (name: string) => ordered.some((shape) => shape.name === name)
  while (found.length > 0) {
    const next = found.findIndex(({ name, refersTo }) => refersTo.every((other) => other === name || isPlaced(other)))
    if (next < 0) throw new Error('tables refer to each other in a circle')
    const [{ refersTo: _, ...shape }] = found.splice(next, 1) as [(typeof found)[number]]
    ordered.push(shape)
  }
  return ordered
}

async function readTableShape(blank: ReadTx, name: string, definition: string) {
  const db = tables(blank)
  const columns = await sql<{ name: string; pk: number }>`select name, pk from pragma_table_info(${name})`.execute(db)
  const references = await sql<{ table: string; column: string }>`
    select "table", "from" as "column" from pragma_foreign_key_list(${name})`.execute(db)
  const key = columns.rows.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
  if (key.length === 0) throw new Error(`the table ${name} has no primary key`)
  return {
    name,
    columns: columns.rows.map((column) => column.name),
    key: key.map((column) => column.name),
    selfReferences: references.rows.filter(({ table }) => table === name).map(({ column }) => column),
    hasAutoIncrement: /\bautoincrement\b/i.test(definition),
    refersTo: references.rows.map(({ table }) => table),
  }
}
