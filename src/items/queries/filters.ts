import type { ReadTx, WriteTx } from '../../storage'
import type { CriteriaColumns } from '../migrations'
import type { FilterCriteria, SavedFilter } from '../schemas'
import { itemTables } from './item-tables'

export async function listFilters(tx: ReadTx): Promise<SavedFilter[]> {
  const rows = await itemTables(tx).selectFrom('saved_filter').selectAll().orderBy('id').execute()
  return rows.map((row) => ({ id: row.id, name: row.name, criteria: toCriteria(row), createdAt: row.created_at }))
}

export async function insertFilter(tx: WriteTx, filter: Omit<SavedFilter, 'id'>): Promise<SavedFilter> {
  const { id } = await itemTables(tx)
    .insertInto('saved_filter')
    .values({ name: filter.name, ...toColumns(filter.criteria), created_at: filter.createdAt })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, ...filter }
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

function toCriteria({ state, assigned_to: assignedTo, search }: CriteriaColumns): FilterCriteria {
  return { state, assignedTo, search }
}

function toColumns({ state, assignedTo, search }: FilterCriteria): CriteriaColumns {
  return { state, assigned_to: assignedTo, search }
}
