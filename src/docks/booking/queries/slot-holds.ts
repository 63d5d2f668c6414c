import { derivedValues, deriveOnce, precompileQuery, type ReadTx, type WriteTx } from '../../../storage'
import type { AppointmentType } from '../../facilities/rules/facility'
import { docksTables } from '../../queries/docks-tables'
import type { Load } from '../rules/load'
import { placingKeys } from '../rules/load-fields'
import { type BusySpan, isOverlapping } from '../rules/spans'
import { selectLoad, toColumns } from './load-columns'

/** A reserved slot with the names of its door and its facility. Times are epoch milliseconds. */
export interface SlotHoldRecord extends Load {
  id: string
  facilityId: string
  facilityName: string
  facilityCode: string
  doorId: string
  doorName: string
  type: AppointmentType
  startAt: number
  endAt: number
  carrierName: string | null
  expiresAt: number
  /** 1 if a carrier chose the door: the appointment stays there when room is made for others. */
  pinned: number
}

interface HeldRequest {
  facilityId: string
  /** A hold that starts at or before it does not count. None of them overlaps the span, or its caller counts them elsewhere. */
  after: number
  from: number
  to: number
  now: number
}

/** The busy spans of holds that have not expired. */
export async function listHeldSpans(
  tx: ReadTx,
  { except = [], isCounted, ...params }: HeldRequest & { except?: readonly string[]; isCounted: boolean },
): Promise<BusySpan[]> {
  if (derivedValues(tx, 'slot_hold') !== null) return listHeldByFacility(tx, { ...params, except, isCounted })
  const held = isCounted
    ? await heldSpansQuery(tx, params).select(countedColumns).execute()
    : await runHeldSpansQuery(tx, params)
  return held.filter(({ id }) => !except.includes(id))
}

/** The same from all holds of the facility, which are read once as long as no hold changes. */
async function listHeldByFacility(
  tx: ReadTx,
  {
    facilityId,
    after,
    from,
    to,
    now,
    except,
    isCounted,
  }: HeldRequest & { except: readonly string[]; isCounted: boolean },
): Promise<BusySpan[]> {
  const holds = await deriveOnce(tx, { table: 'slot_hold', key: `${facilityId} ${isCounted}` }, () =>
    docksTables(tx)
      .selectFrom('slot_hold')
      .select(['id', 'door_id as doorId', 'start_at as from', 'end_at as to', 'expires_at as expiresAt'])
      .where('facility_id', '=', facilityId)
      .$if(isCounted, (query) => query.select(countedColumns))
      .execute(),
  )
  const span = { from, to }
  return holds.filter(
    (hold) => hold.expiresAt > now && hold.from > after && isOverlapping(hold, span) && !except.includes(hold.id),
  )
}

/** What limits count. No index has it, so it is read only if there are limits. */
export const countedColumns = ['type', 'carrier_name as carrierName', 'pallet_count as palletCount'] as const

function heldSpansQuery(tx: ReadTx, { facilityId, after, from, to, now }: HeldRequest) {
  return docksTables(tx)
    .selectFrom('slot_hold')
    .select(['id', 'door_id as doorId', 'start_at as from', 'end_at as to'])
    .where('facility_id', '=', facilityId)
    .where('start_at', '>', after)
    .where('start_at', '<', to)
    .where('end_at', '>', from)
    .where('expires_at', '>', now)
}

const runHeldSpansQuery = precompileQuery(heldSpansQuery)

/** The hold, even if it has expired. */
export async function findHold(tx: ReadTx, tenantId: string, id: string): Promise<SlotHoldRecord | null> {
  const query = holdQuery(tx).where('slot_hold.tenant_id', '=', tenantId).where('slot_hold.id', '=', id)
  return (await query.executeTakeFirst()) ?? null
}

/** The holds of a facility that have not expired, by start. */
export function listHolds(tx: ReadTx, facilityId: string, now: number): Promise<SlotHoldRecord[]> {
  return holdQuery(tx)
    .where('slot_hold.facility_id', '=', facilityId)
    .where('slot_hold.expires_at', '>', now)
    .orderBy('slot_hold.start_at')
    .orderBy('slot_hold.id')
    .execute()
}

/** The holds of a facility by who made them and for whom, with the expired ones that were not removed yet. */
export function listHolders(
  tx: ReadTx,
  facilityId: string,
): Promise<{ caller: string | null; carrierName: string | null }[]> {
  return docksTables(tx)
    .selectFrom('slot_hold')
    .select(['caller', 'carrier_name as carrierName'])
    .where('facility_id', '=', facilityId)
    .execute()
}

export async function removeExpiredHolds(tx: WriteTx, facilityId: string, now: number): Promise<void> {
  await docksTables(tx)
    .deleteFrom('slot_hold')
    .where('facility_id', '=', facilityId)
    .where('expires_at', '<=', now)
    .execute()
}

export async function insertHold(
  tx: WriteTx,
  hold: SlotHoldRecord,
  { tenantId, createdAt, caller }: { tenantId: string; createdAt: number; caller: string | null },
): Promise<void> {
  await docksTables(tx)
    .insertInto('slot_hold')
    .values({
      id: hold.id,
      tenant_id: tenantId,
      facility_id: hold.facilityId,
      door_id: hold.doorId,
      type: hold.type,
      start_at: hold.startAt,
      end_at: hold.endAt,
      carrier_name: hold.carrierName,
      ...toColumns(hold, placingKeys),
      created_at: createdAt,
      expires_at: hold.expiresAt,
      caller,
      pinned: hold.pinned,
    })
    .execute()
}

export async function removeHold(tx: WriteTx, id: string): Promise<void> {
  await docksTables(tx).deleteFrom('slot_hold').where('id', '=', id).execute()
}

function holdQuery(tx: ReadTx) {
  return docksTables(tx)
    .selectFrom('slot_hold')
    .innerJoin('door', 'door.id', 'slot_hold.door_id')
    .innerJoin('facility', 'facility.id', 'slot_hold.facility_id')
    .select([
      'slot_hold.id',
      'slot_hold.facility_id as facilityId',
      'facility.name as facilityName',
      'facility.code as facilityCode',
      'slot_hold.door_id as doorId',
      'door.name as doorName',
      'slot_hold.type',
      ...selectLoad('slot_hold', placingKeys),
      'slot_hold.start_at as startAt',
      'slot_hold.end_at as endAt',
      'slot_hold.carrier_name as carrierName',
      'slot_hold.expires_at as expiresAt',
      'slot_hold.pinned',
    ])
}
