import type { ReadTx, WriteTx } from '../../../storage'
import { listScheduledWith } from '../../booking/queries/appointment-references'
import { toWaitingLoad } from '../../booking/rules/load'
import { docksTables } from '../../queries/docks-tables'
import type { WaitRequest } from '../schemas'

/** A slot that is held for an entry. Times are epoch milliseconds. */
export interface WaitOffer {
  startAt: number
  endAt: number
  doorName: string
  expiresAt: number
}

export interface WaitlistEntry {
  id: string
  facilityId: string
  request: WaitRequest
  createdAt: number
  holdId: string | null
  /** The offered slot, even if the offer has expired; null if none is offered. */
  offer: WaitOffer | null
  /** The starts of the offers that were declined or expired, which are not offered again. */
  declined: number[]
  /** The carrier whose key added it, whose own limits its offers obey; null if the site added it. */
  carrier: string | null
}

interface EntryRow extends Omit<WaitlistEntry, 'request' | 'offer' | 'declined'> {
  request: string
  offer: string | null
  declined: string
}

export async function findWaitlistEntry(tx: ReadTx, tenantId: string, id: string): Promise<WaitlistEntry | null> {
  const row = await entryQuery(tx).where('tenant_id', '=', tenantId).where('id', '=', id).executeTakeFirst()
  return row ? toEntry(row) : null
}

export async function findWaitlistEntryOfHold(tx: ReadTx, holdId: string): Promise<WaitlistEntry | null> {
  const row = await entryQuery(tx).where('hold_id', '=', holdId).executeTakeFirst()
  return row ? toEntry(row) : null
}

/** The entries of a facility in their order. */
export async function listWaitlist(tx: ReadTx, facilityId: string): Promise<WaitlistEntry[]> {
  const query = entryQuery(tx).where('facility_id', '=', facilityId).orderBy('created_at').orderBy('id')
  return (await query.execute()).map(toEntry)
}

/** Those of the references that have a scheduled appointment at the facility, with its carrier. */
export async function listBookedReferences(
  tx: ReadTx,
  facilityId: string,
  references: readonly string[],
): Promise<Map<string, string>> {
  const booked = await listScheduledWith(tx, facilityId, references)
  return new Map(booked.map(({ number, carrierName }) => [number, carrierName]))
}

/** The number of entries of a facility that a caller has added, or all callers of a carrier. */
export async function countWaitlistOf(
  tx: ReadTx,
  facilityId: string,
  { caller, carrier }: { caller: string; carrier: string | null },
): Promise<number> {
  const { count } = await docksTables(tx)
    .selectFrom('waitlist_entry')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('facility_id', '=', facilityId)
    .where(carrier === null ? 'caller' : 'carrier', '=', carrier ?? caller)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The facilities at which somebody waits. */
export function listWaitlistFacilities(
  tx: ReadTx,
  { tenantId, facilityId }: { tenantId?: string; facilityId?: string },
): Promise<{ tenantId: string; facilityId: string }[]> {
  let query = docksTables(tx)
    .selectFrom('waitlist_entry')
    .select(['tenant_id as tenantId', 'facility_id as facilityId'])
    .distinct()
  if (tenantId !== undefined) query = query.where('tenant_id', '=', tenantId)
  if (facilityId !== undefined) query = query.where('facility_id', '=', facilityId)
  return query.orderBy('facility_id').execute()
}

export async function insertWaitlistEntry(
  tx: WriteTx,
  entry: WaitlistEntry,
  { tenantId, caller }: { tenantId: string; caller: string },
): Promise<void> {
  await docksTables(tx)
    .insertInto('waitlist_entry')
    .values({
      id: entry.id,
      tenant_id: tenantId,
      facility_id: entry.facilityId,
      request: JSON.stringify(entry.request),
      created_at: entry.createdAt,
      declined: '[]',
      caller,
      carrier: entry.carrier,
    })
    .execute()
}

/** Saves the offer and the declined starts. */
export async function saveOffer(tx: WriteTx, { id, holdId, offer, declined }: WaitlistEntry): Promise<void> {
  await docksTables(tx)
    .updateTable('waitlist_entry')
    .set({ hold_id: holdId, offer: offer && JSON.stringify(offer), declined: JSON.stringify(declined) })
    .where('id', '=', id)
    .execute()
}

export async function removeWaitlistEntry(tx: WriteTx, id: string): Promise<void> {
  await docksTables(tx).deleteFrom('waitlist_entry').where('id', '=', id).execute()
}

function entryQuery(tx: ReadTx) {
  return docksTables(tx)
    .selectFrom('waitlist_entry')
    .select([
      'id',
      'facility_id as facilityId',
      'request',
      'created_at as createdAt',
      'hold_id as holdId',
      'offer',
      'declined',
      'carrier',
    ])
}

function toEntry({ request, offer, declined, ...row }: EntryRow): WaitlistEntry {
  const stored = JSON.parse(request)
  return {
    ...row,
    request: { references: null, ...stored, ...toWaitingLoad(stored) },
    offer: offer && JSON.parse(offer),
    declined: JSON.parse(declined),
  }
}
