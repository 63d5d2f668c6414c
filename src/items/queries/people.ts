import type { ReadTx } from '../../storage'
import { findPeopleInFields } from '../rules/people-in-fields'
import { itemTables } from './item-tables'
import { findLatestFieldsByItem } from './snapshots'

/** An item, and what it is linked to. */
interface RelatedItem {
  id: number
  parentId: number | null
  predecessorIds: readonly number[]
}

/**
 * The names of all whom the workspace knows around an item: every assignee, and the authors and mentions of the item, its parent,
 * siblings, children and predecessors, as far as they are cached.
 */
export async function findRelatedPeople(tx: ReadTx, { id, parentId, predecessorIds }: RelatedItem): Promise<string[]> {
  const tables = itemTables(tx)
  const assignees = await tables
    .selectFrom('work_item')
    .select(['assigned_name', 'assigned_account'])
    .distinct()
    .where('assigned_name', 'is not', null)
    .execute()
  const parents = parentId === null ? [id] : [id, parentId]
  const below = await tables.selectFrom('work_item').select('id').where('parent_id', 'in', parents).execute()
  const relatives = new Set([...parents, ...predecessorIds, ...below.map((row) => row.id)])
  const fields = await findLatestFieldsByItem(tx, [...relatives])
  const people = [
    ...assignees.flatMap((row) => [row.assigned_name, row.assigned_account]),
    ...[...fields.values()].flatMap(findPeopleInFields),
  ]
  return [...new Set(people.filter((name) => name !== null && name !== ''))] as string[]
}
