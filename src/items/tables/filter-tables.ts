import type { CreateTableBuilder, Generated, Kysely } from 'kysely'

/** What items are filtered by; null matches all. */
export interface CriteriaColumns {
  state: string | null
  assigned_to: string | null
  search: string | null
  type: string | null
  area: string | null
  iteration: string | null
  tag: string | null
  parent: string | null
}

/** Also contains the saved views, which are filters with columns. */
export interface SavedFilterTable extends CriteriaColumns {
  id: Generated<number>
  name: string
  created_at: string
  /** JSON: string[]; null if it is not a view. */
  columns: string | null
  sort: string | null
}

/** The working filter: one row, or none. */
export interface WorkingFilterTable extends CriteriaColumns {
  id: number
  updated_at: string
}

export async function createFilterTables(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('saved_filter')
    .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
    .addColumn('name', 'text', (c) => c.notNull().unique())
    .$call(addCriteria)
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('columns', 'text')
    .addColumn('sort', 'text')
    .execute()
  await db.schema
    .createTable('working_filter')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .$call(addCriteria)
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute()
}

function addCriteria(table: CreateTableBuilder<string, string>): CreateTableBuilder<string, string> {
  return table
    .addColumn('state', 'text')
    .addColumn('assigned_to', 'text')
    .addColumn('search', 'text')
    .addColumn('type', 'text')
    .addColumn('area', 'text')
    .addColumn('iteration', 'text')
    .addColumn('tag', 'text')
    .addColumn('parent', 'text')
}
