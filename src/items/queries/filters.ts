import type { ReadTx, WriteTx } from '../../storage'
import type { FilterCriteria, SavedFilter, SavedView } from '../schemas'
import type { CriteriaColumns } from '../tables/filter-tables'
import { itemTables } from './item-tables'

/** The saved filters that are not views. */
export async function listFilters(tx: ReadTx): Promise<SavedFilter[]> {
  return (await listFiltersAndViews(tx)).filter((saved) => !isView(saved))
}

export async function listViews(tx: ReadTx): Promise<SavedView[]> {
  return (await listFiltersAndViews(tx)).filter(isView)
}

function isView(saved: SavedFilter | SavedView): saved is SavedView {
  return 'columns' in saved
}

export async function listFiltersAndViews(tx: ReadTx): Promise<(SavedFilter | SavedView)[]> {
  const rows = await itemTables(tx).selectFrom('saved_filter').selectAll().orderBy('id').execute()
  return rows.map((row) => {
    const filter = { id: row.id, name: row.name, criteria: toCriteria(row), createdAt: row.created_at }
    return row.columns === null ? filter : { ...filter, columns: JSON.parse(row.columns) as string[], sort: row.sort }
  })
}

/** Inserts a filter, or a view if it has columns, and returns its ID. */
export async function insertFilter(
  tx: WriteTx,
  { name, criteria, createdAt }: Omit<SavedFilter, 'id'>,
  view: Pick<SavedView, 'columns' | 'sort'> | null = null,
): Promise<number> {
  const columns = view && JSON.stringify(view.columns)
  const { id } = await itemTables(tx)
    .insertInto('saved_filter')
    .values({ name, ...toColumns(criteria), created_at: createdAt, columns, sort: view?.sort ?? null })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function deleteFilter(tx: WriteTx, id: number): Promise<void> {
  await itemTables(tx).deleteFrom('saved_filter').where('id', '=', id).execute()
}

export async function findWorkingFilter(tx: ReadTx): Promise<{ criteria: FilterCriteria; updatedAt: string } | null> {
  const row = await itemTables(tx).selectFrom('working_filter').selectAll().executeTakeFirst()
  return row ? { criteria: toCriteria(row), updatedAt: row.updated_at } : null
}

export async function replaceWorkingFilter(tx: WriteTx, criteria: FilterCriteria, at: string): Promise<void> {
  await clearWorkingFilter(tx)
  await itemTables(tx)
    .insertInto('working_filter')
    .values({ id: 1, ...toColumns(criteria), updated_at: at })
    .execute()
}

export async function clearWorkingFilter(tx: WriteTx): Promise<void> {
  await itemTables(tx).deleteFrom('working_filter').execute()
}

function toCriteria({ assigned_to: assignedTo, ...row }: CriteriaColumns): FilterCriteria {
  const { state, search, type, area, iteration, tag, parent } = row
  return { state, assignedTo, search, type, area, iteration, tag, parent }
}

function toColumns({ assignedTo, ...criteria }: FilterCriteria): CriteriaColumns {
  return { ...criteria, assigned_to: assignedTo }
}
