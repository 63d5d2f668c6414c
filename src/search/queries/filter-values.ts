import { sql } from 'kysely'
import { type ReadTx, tables } from '../../storage'
import type { Qualifier } from '../rules/filters'

/** Where the values of each qualifier are, for suggestions. */
const VALUES: Record<Qualifier, string | null> = {
  state: "select distinct state as value from work_item union select 'open' union select 'done'",
  type: "select distinct type as value from work_item union select 'story' union select 'draft' union select 'folder'",
  assignee: 'select distinct assigned_name as value from work_item union select distinct assigned_to from draft',
  tag: 'select distinct jsonb_array_elements_text(tags::jsonb) as value from work_item',
  area: 'select distinct area_path as value from work_item union select distinct area_path from draft',
  iteration: 'select distinct iteration_path as value from work_item union select distinct iteration_path from draft',
  priority: 'select distinct priority::text as value from work_item',
  id: null,
}

export async function listFilterValues(tx: ReadTx, qualifier: Qualifier): Promise<string[]> {
  const statement = VALUES[qualifier]
  if (statement === null) return []
  const { rows } = await sql<{ value: string | null }>`${sql.raw(statement)}`.execute(tables(tx))
  return rows.flatMap(({ value }) => (value === null || value === '' ? [] : [value]))
}
