import type { ReadTx, WriteTx } from '../../storage'
import type { Door, Facility } from '../rules/facility'
import type { DoorTable, FacilityTable } from '../tables'
import { docks } from './docks'

/** How a caller names a facility: one of the two, or both. */
export interface FacilityKey {
  id?: string
  code?: string
}

export async function findFacility(tx: ReadTx, tenantId: string, key: FacilityKey): Promise<Facility | null> {
  let query = docks(tx).selectFrom('facility').selectAll().where('tenant_id', '=', tenantId)
  if (key.id !== undefined) query = query.where('id', '=', key.id)
  if (key.code !== undefined) query = query.where('code', '=', key.code)
  const row = await query.executeTakeFirst()
  return row ? facilityOf(row) : null
}

/** A tenant's facilities by code. */
export async function listFacilities(tx: ReadTx, tenantId: string): Promise<Facility[]> {
  const rows = await docks(tx)
    .selectFrom('facility')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('code')
    .execute()
  return rows.map(facilityOf)
}

/** A facility's doors by position, inactive ones too. */
export async function doorsOf(tx: ReadTx, facilityId: string): Promise<Door[]> {
  const rows = await docks(tx)
    .selectFrom('door')
    .selectAll()
    .where('facility_id', '=', facilityId)
    .orderBy('position')
    .execute()
  return rows.map(doorOf)
}

export async function insertFacility(
  tx: WriteTx,
  facility: Facility & { doors: Door[] },
  owner: { tenantId: string; createdAt: number },
): Promise<void> {
  await docks(tx)
    .insertInto('facility')
    .values({
      id: facility.id,
      tenant_id: owner.tenantId,
      code: facility.code,
      name: facility.name,
      time_zone: facility.timeZone,
      queues: JSON.stringify(facility.queues),
      breaks: JSON.stringify(facility.breaks),
      closures: JSON.stringify(facility.closures),
      min_minutes: facility.minMinutes,
      max_minutes: facility.maxMinutes,
      default_minutes: facility.defaultMinutes,
      slot_minutes: facility.slotMinutes,
      lead_minutes: facility.leadMinutes,
      capacity: facility.capacity,
      advance_to_next_open_day: Number(facility.advanceToNextOpenDay),
      created_at: owner.createdAt,
    })
    .execute()
  for (const door of facility.doors) {
    await docks(tx)
      .insertInto('door')
      .values({
        id: door.id,
        facility_id: facility.id,
        name: door.name,
        position: door.position,
        types: JSON.stringify(door.types),
        active: Number(door.active),
      })
      .execute()
  }
}

function facilityOf(row: FacilityTable): Facility {
  return {
    id: row.id,
    code: row.code,
    name: row.name,
    timeZone: row.time_zone,
    queues: JSON.parse(row.queues),
    breaks: JSON.parse(row.breaks),
    closures: JSON.parse(row.closures),
    minMinutes: row.min_minutes,
    maxMinutes: row.max_minutes,
    defaultMinutes: row.default_minutes,
    slotMinutes: row.slot_minutes,
    leadMinutes: row.lead_minutes,
    capacity: row.capacity,
    advanceToNextOpenDay: row.advance_to_next_open_day === 1,
  }
}

function doorOf(row: DoorTable): Door {
  return {
    id: row.id,
    name: row.name,
    position: row.position,
    types: JSON.parse(row.types),
    active: row.active === 1,
  }
}
