import { chunksOf } from '../../kernel/work/chunks'
import type { ReadTx, WriteTx } from '../../storage'
import type { ProcessField } from '../../tracker'
import { itemTables, MAX_IDS_PER_STATEMENT } from './item-tables'

/** A field of a tracker that is no property of every work item. */
export interface TrackerField extends Pick<ProcessField, 'referenceName' | 'name' | 'kind' | 'readOnly'> {
  trackerId: number
}

/** The fields of all trackers, by their names. */
export async function listTrackerFields(tx: ReadTx): Promise<TrackerField[]> {
  const rows = await itemTables(tx)
    .selectFrom('tracker_field')
    .selectAll()
    .orderBy('name')
    .orderBy('tracker_id')
    .orderBy('reference_name')
    .execute()
  return rows.map(({ tracker_id, reference_name, name, kind, read_only }) => ({
    trackerId: tracker_id,
    referenceName: reference_name,
    name,
    kind: kind as ProcessField['kind'],
    readOnly: read_only === 1,
  }))
}

export async function replaceTrackerFields(
  tx: WriteTx,
  trackerId: number,
  fields: readonly Omit<TrackerField, 'trackerId'>[],
): Promise<void> {
  await itemTables(tx).deleteFrom('tracker_field').where('tracker_id', '=', trackerId).execute()
  for (const chunk of chunksOf(fields, MAX_IDS_PER_STATEMENT / 5)) {
    const rows = chunk.map(({ referenceName, name, kind, readOnly }) => ({
      tracker_id: trackerId,
      reference_name: referenceName,
      name,
      kind,
      read_only: readOnly ? 1 : 0,
    }))
    await itemTables(tx).insertInto('tracker_field').values(rows).execute()
  }
}
