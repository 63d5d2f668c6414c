import type { ReadTx, WriteTx } from '../../../storage'
import { docksTables } from '../../queries/docks-tables'

export interface YardSpot {
  id: string
  name: string
}

/** The spots of a yard in the order of their names, in which `Y2` comes before `Y10`. */
export async function listYardSpots(tx: ReadTx, facilityId: string): Promise<YardSpot[]> {
  const rows = await docksTables(tx)
    .selectFrom('yard_spot')
    .select(['id', 'name'])
    .where('facility_id', '=', facilityId)
    .where('removed_at', 'is', null)
    .execute()
  return rows.sort((a, b) => byNumber.compare(a.name, b.name) || (a.name < b.name ? -1 : 1))
}

const byNumber = new Intl.Collator('en', { numeric: true })

export async function findYardSpot(tx: ReadTx, facilityId: string, name: string): Promise<YardSpot | null> {
  const spot = await docksTables(tx)
    .selectFrom('yard_spot')
    .select(['id', 'name'])
    .where('facility_id', '=', facilityId)
    .where('name', '=', name)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return spot ?? null
}

/** Adds a spot, or restores a removed one with the name. */
export async function addYardSpot(tx: WriteTx, spot: YardSpot & { facilityId: string }): Promise<void> {
  await docksTables(tx)
    .insertInto('yard_spot')
    .values({ id: spot.id, facility_id: spot.facilityId, name: spot.name, removed_at: null })
    .onConflict((conflict) => conflict.columns(['facility_id', 'name']).doUpdateSet({ removed_at: null }))
    .execute()
}

export async function removeYardSpot(tx: WriteTx, id: string, now: number): Promise<void> {
  await docksTables(tx).updateTable('yard_spot').set({ removed_at: now }).where('id', '=', id).execute()
}

/** The names of all spots that a yard ever had, by ID. */
export async function findSpotNames(tx: ReadTx, facilityId: string): Promise<Map<string, string>> {
  const rows = await docksTables(tx)
    .selectFrom('yard_spot')
    .select(['id', 'name'])
    .where('facility_id', '=', facilityId)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The names of all doors that a facility ever had, by ID. */
export async function findDoorNames(tx: ReadTx, facilityId: string): Promise<Map<string, string>> {
  const rows = await docksTables(tx)
    .selectFrom('door')
    .select(['id', 'name'])
    .where('facility_id', '=', facilityId)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
