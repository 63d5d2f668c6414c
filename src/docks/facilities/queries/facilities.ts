import { formatInstant } from '../../../kernel/time'
import { deriveOnce, forUpdate, precompileQuery, type ReadTx, type WriteTx } from '../../../storage'
import { docksTables } from '../../queries/docks-tables'
import { memoizeByRow } from '../../queries/memoize-by-row'
import type { DoorTable, FacilityTable } from '../migrations'
import type { Door, Facility } from '../rules/facility'

/** Identifies a facility by its ID, its code, or both. */
export interface FacilityKey {
  id?: string
  code?: string
}

export async function findFacility(tx: ReadTx, tenantId: string, key: FacilityKey): Promise<Facility | null> {
  const row = await facilityQuery(tx, tenantId, key).executeTakeFirst()
  return row ? toFacility(row) : null
}

/** Locks the facility: until the transaction ends, no other transaction can change its appointments. */
export async function findFacilityForUpdate(tx: WriteTx, tenantId: string, key: FacilityKey): Promise<Facility | null> {
  const { id, code } = key
  if (id !== undefined || code === undefined) {
    const [row] = await forUpdate(tx, facilityQuery(tx, tenantId, key)).execute()
    return row ? toFacility(row) : null
  }
  const found = await deriveOnce(tx, { table: 'facility', key: `${tenantId} ${code}` }, async () => {
    const [row] = await findByCodeForUpdate(tx, { tenantId, code })
    return row ? toFacility(row) : null
  })
  rememberFacility(tenantId, code, found)
  return found
}

/** By tenant and code, as `findFacilityForUpdate` last found it. It may have changed since. */
const lastSeen = new Map<string, Facility>()
const MAX_SEEN = 10_000
const seenKey = (tenantId: string, code: string) => `${tenantId} ${code}`

/** The facility as `findFacilityForUpdate` last found it: the same object if it finds it unchanged. Null if that is not known. */
export function recallFacility(tenantId: string, { id, code }: FacilityKey): Facility | null {
  return (id === undefined && code !== undefined && lastSeen.get(seenKey(tenantId, code))) || null
}

function rememberFacility(tenantId: string, code: string, found: Facility | null): void {
  if (lastSeen.size >= MAX_SEEN) lastSeen.clear()
  if (found) lastSeen.set(seenKey(tenantId, code), found)
  else lastSeen.delete(seenKey(tenantId, code))
}

/** Precompiled because most callers use the code alone. */
const findByCodeForUpdate = precompileQuery((tx, { tenantId, code }: { tenantId: string; code: string }) =>
  forUpdate(tx as WriteTx, facilityQuery(tx, tenantId, { code })),
)

/** Locks the facility of an appointment, a hold, a series or an entry of the waitlist, and returns it, if there is one. None ever moves to another facility. */
export async function lockFacilityOf(
  tx: WriteTx,
  tenantId: string,
  { table, id }: { table: 'appointment' | 'slot_hold' | 'series' | 'waitlist_entry'; id: string },
): Promise<Facility | null> {
  const query = docksTables(tx)
    .selectFrom('facility')
    .selectAll()
    .where('id', 'in', (rows) =>
      rows.selectFrom(table).select('facility_id').where('tenant_id', '=', tenantId).where('id', '=', id),
    )
  const [row] = await forUpdate(tx, query).execute()
  return row ? toFacility(row) : null
}

function facilityQuery(tx: ReadTx, tenantId: string, key: FacilityKey) {
  let query = docksTables(tx).selectFrom('facility').selectAll().where('tenant_id', '=', tenantId)
  if (key.id !== undefined) query = query.where('id', '=', key.id)
  if (key.code !== undefined) query = query.where('code', '=', key.code)
  return query
}

/** The facilities of a tenant by code, either the deleted ones or the others. */
export async function listFacilities(
  tx: ReadTx,
  tenantId: string,
  { archived }: { archived: boolean },
): Promise<Facility[]> {
  const rows = await docksTables(tx)
    .selectFrom('facility')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('archived_at', archived ? 'is not' : 'is', null)
    .orderBy('code')
    .execute()
  return rows.map(toFacility)
}

/** The doors of a facility by position, including inactive ones but not removed ones. */
export function findDoors(tx: ReadTx, facilityId: string): Promise<Door[]> {
  return deriveOnce(tx, { table: 'door', key: facilityId }, () => readDoors(tx, facilityId))
}

async function readDoors(tx: ReadTx, facilityId: string): Promise<Door[]> {
  const doors = (await runFindDoors(tx, { facilityId })).map(toDoor)
  const known = knownDoors.get(facilityId)
  if (known?.length === doors.length && known.every((door, n) => door === doors[n])) return known
  if (knownDoors.size >= MAX_KNOWN_DOORS) knownDoors.clear()
  knownDoors.set(facilityId, Object.freeze(doors) as Door[])
  return doors
}

/** What `findDoors` has returned: the same list as long as no door changes, so that what is derived from it can be cached. */
const knownDoors = new Map<string, Door[]>()
const MAX_KNOWN_DOORS = 1_000

const runFindDoors = precompileQuery((tx, { facilityId }: { facilityId: string }) =>
  docksTables(tx)
    .selectFrom('door')
    .selectAll()
    .where('facility_id', '=', facilityId)
    .where('removed_at', 'is', null)
    .orderBy('position')
    .orderBy('id'),
)

/** The doors of each facility of a tenant, as `findDoors` returns them. */
export async function findDoorsByFacility(tx: ReadTx, tenantId: string): Promise<Map<string, Door[]>> {
  const rows = await docksTables(tx)
    .selectFrom('door')
    .innerJoin('facility', 'facility.id', 'door.facility_id')
    .selectAll('door')
    .where('facility.tenant_id', '=', tenantId)
    .where('door.removed_at', 'is', null)
    .orderBy('door.position')
    .orderBy('door.id')
    .execute()
  const byFacility = new Map<string, Door[]>()
  for (const row of rows) {
    const doors = byFacility.get(row.facility_id)
    if (doors) doors.push(toDoor(row))
    else byFacility.set(row.facility_id, [toDoor(row)])
  }
  return byFacility
}

export async function insertFacility(
  tx: WriteTx,
  facility: Facility & { doors: Door[] },
  owner: { tenantId: string; createdAt: number },
): Promise<void> {
  await docksTables(tx)
    .insertInto('facility')
    .values({
      id: facility.id,
      tenant_id: owner.tenantId,
      ...toColumns(facility),
      created_at: owner.createdAt,
      archived_at: null,
    })
    .execute()
  for (const door of facility.doors) await upsertDoor(tx, facility.id, door)
}

/** Updates a facility, but not its doors. */
export async function updateFacility(tx: WriteTx, facility: Facility): Promise<void> {
  await docksTables(tx).updateTable('facility').set(toColumns(facility)).where('id', '=', facility.id).execute()
}

/** Marks a facility as deleted, or with null as restored. Returns the time as the facility has it. */
export async function setArchivedAt(tx: WriteTx, id: string, archivedAt: number | null): Promise<string | null> {
  await docksTables(tx).updateTable('facility').set({ archived_at: archivedAt }).where('id', '=', id).execute()
  return toArchivedAt(archivedAt)
}

const toArchivedAt = (archivedAt: number | null) => (archivedAt === null ? null : formatInstant(archivedAt))

/** Adds a door, or updates the one with the same ID. */
export async function upsertDoor(tx: WriteTx, facilityId: string, door: Door): Promise<void> {
  const columns = {
    name: door.name,
    position: door.position,
    types: JSON.stringify(door.types),
    active: Number(door.active),
    features: JSON.stringify(door.features),
    max_height: door.maxHeight,
    removed_at: null,
  }
  await docksTables(tx)
    .insertInto('door')
    .values({ id: door.id, facility_id: facilityId, ...columns })
    .onConflict((existing) => existing.column('id').doUpdateSet(columns))
    .execute()
}

/** Marks a door as removed. Its row stays because appointments refer to it. */
export async function removeDoor(tx: WriteTx, door: Door, removedAt: number): Promise<void> {
  await docksTables(tx)
    .updateTable('door')
    .set({ active: 0, removed_at: removedAt })
    .where('id', '=', door.id)
    .execute()
}

/** The ID of a removed door with the name; null if there is none. A door that is added again has the same ID. */
export async function findRemovedDoor(tx: ReadTx, facilityId: string, name: string): Promise<string | null> {
  const row = await docksTables(tx)
    .selectFrom('door')
    .select('id')
    .where('facility_id', '=', facilityId)
    .where('name', '=', name)
    .where('removed_at', 'is not', null)
    .executeTakeFirst()
  return row?.id ?? null
}

type CheckColumn = Extract<keyof FacilityTable, `check_${string}`>

function toColumns(
  facility: Facility,
): Omit<FacilityTable, 'id' | 'tenant_id' | 'created_at' | 'archived_at' | CheckColumn> {
  return {
    code: facility.code,
    name: facility.name,
    time_zone: facility.timeZone,
    queues: JSON.stringify(facility.queues),
    breaks: JSON.stringify(facility.breaks),
    closures: JSON.stringify(facility.closures),
    blocked_times: JSON.stringify(facility.blockedTimes),
    buffer_minutes: facility.bufferMinutes,
    limits: JSON.stringify(facility.limits),
    lengths: JSON.stringify(facility.lengths),
    carriers: JSON.stringify(facility.carriers),
    custom_fields: JSON.stringify(facility.customFields),
    reasons: JSON.stringify(facility.reasons),
    min_minutes: facility.minMinutes,
    max_minutes: facility.maxMinutes,
    default_minutes: facility.defaultMinutes,
    slot_minutes: facility.slotMinutes,
    lead_minutes: facility.leadMinutes,
    capacity: facility.capacity,
    advance_to_next_open_day: Number(facility.advanceToNextOpenDay),
    grace_minutes: facility.graceMinutes,
    reminder_hours: facility.reminderHours,
    truck_free_minutes: facility.truckFreeMinutes,
    trailer_free_hours: facility.trailerFreeHours,
    make_room: facility.makeRoom,
    move_announced: Number(facility.moveAnnounced),
  }
}

const toFacility = memoizeByRow((row: FacilityTable): Facility => {
  return {
    id: row.id,
    code: row.code,
    name: row.name,
    timeZone: row.time_zone,
    queues: JSON.parse(row.queues),
    breaks: JSON.parse(row.breaks),
    closures: JSON.parse(row.closures),
    blockedTimes: JSON.parse(row.blocked_times),
    bufferMinutes: row.buffer_minutes,
    limits: JSON.parse(row.limits),
    lengths: JSON.parse(row.lengths),
    carriers: JSON.parse(row.carriers),
    customFields: JSON.parse(row.custom_fields),
    reasons: JSON.parse(row.reasons),
    minMinutes: row.min_minutes,
    maxMinutes: row.max_minutes,
    defaultMinutes: row.default_minutes,
    slotMinutes: row.slot_minutes,
    leadMinutes: row.lead_minutes,
    capacity: row.capacity,
    advanceToNextOpenDay: row.advance_to_next_open_day === 1,
    graceMinutes: row.grace_minutes,
    reminderHours: row.reminder_hours,
    truckFreeMinutes: row.truck_free_minutes,
    trailerFreeHours: row.trailer_free_hours,
    makeRoom: row.make_room,
    moveAnnounced: row.move_announced === 1,
    isChecked: row.check_url !== null,
    archivedAt: toArchivedAt(row.archived_at),
  }
})

const toDoor = memoizeByRow(
  (row: DoorTable): Door => ({
    id: row.id,
    name: row.name,
    position: row.position,
    types: JSON.parse(row.types),
    active: row.active === 1,
    features: JSON.parse(row.features),
    maxHeight: row.max_height,
  }),
)

/** The time zones of the facilities of all tenants, each with the codes of up to five facilities. */
export async function listTimeZones(tx: ReadTx): Promise<{ timeZone: string; codes: string[] }[]> {
  const rows = await docksTables(tx)
    .selectFrom('facility')
    .select(['time_zone', 'code'])
    .orderBy('time_zone')
    .orderBy('code')
    .execute()
  const zones = new Map<string, string[]>()
  for (const { time_zone, code } of rows) zones.set(time_zone, [...(zones.get(time_zone) ?? []), code])
  return [...zones].map(([timeZone, codes]) => ({ timeZone, codes: codes.slice(0, 5) }))
}

/** The time zones of facilities, by ID. */
export async function findTimeZones(tx: ReadTx, facilityIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await docksTables(tx)
    .selectFrom('facility')
    .select(['id', 'time_zone'])
    .where('id', 'in', facilityIds)
    .execute()
  return new Map(rows.map(({ id, time_zone }) => [id, time_zone]))
}
