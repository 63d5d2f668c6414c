import type { ReadTx, WriteTx } from '../../../storage'
import { docksTables } from '../../queries/docks-tables'
import type { GateLinkTable } from '../migrations'

/** A link with what its page shows of the facility. */
export interface GateLinkRecord extends GateLinkTable {
  facilityCode: string
  facilityName: string
  timeZone: string
}

/** The links of a facility, newest first. */
export function listGateLinks(tx: ReadTx, facilityId: string): Promise<GateLinkRecord[]> {
  return gateLinkQuery(tx)
    .where('gate_link.facility_id', '=', facilityId)
    .orderBy('gate_link.created_at', 'desc')
    .orderBy('gate_link.id')
    .execute()
}

export async function findGateLink(tx: ReadTx, tenantId: string, id: string): Promise<GateLinkRecord | null> {
  const query = gateLinkQuery(tx).where('gate_link.tenant_id', '=', tenantId).where('gate_link.id', '=', id)
  return (await query.executeTakeFirst()) ?? null
}

/** The links that can be opened: neither revoked nor expired, of a facility that is not deleted. */
export function findLiveGateLinks(
  tx: ReadTx,
  { prefix, now }: { prefix: string; now: number },
): Promise<GateLinkRecord[]> {
  return liveGateLinkQuery(tx, now).where('gate_link.prefix', '=', prefix).execute()
}

/** The same by its ID; null if it cannot be opened. */
export async function findLiveGateLink(
  tx: ReadTx,
  { id, now }: { id: string; now: number },
): Promise<GateLinkRecord | null> {
  return (await liveGateLinkQuery(tx, now).where('gate_link.id', '=', id).executeTakeFirst()) ?? null
}

function liveGateLinkQuery(tx: ReadTx, now: number) {
  return gateLinkQuery(tx)
    .where('gate_link.revoked_at', 'is', null)
    .where(({ eb, or }) => or([eb('gate_link.expires_at', 'is', null), eb('gate_link.expires_at', '>', now)]))
    .where('facility.archived_at', 'is', null)
}

export async function insertGateLink(tx: WriteTx, link: GateLinkTable): Promise<void> {
  await docksTables(tx).insertInto('gate_link').values(link).execute()
}

export async function updateGateLink(
  tx: WriteTx,
  id: string,
  changes: Partial<Pick<GateLinkTable, 'last_used_at' | 'revoked_at'>>,
): Promise<void> {
  await docksTables(tx).updateTable('gate_link').set(changes).where('id', '=', id).execute()
}

/** Revokes those of the facility that are not yet. */
export async function revokeGateLinks(tx: WriteTx, facilityId: string, now: number): Promise<void> {
  await docksTables(tx)
    .updateTable('gate_link')
    .set({ revoked_at: now })
    .where('facility_id', '=', facilityId)
    .where('revoked_at', 'is', null)
    .execute()
}

function gateLinkQuery(tx: ReadTx) {
  return docksTables(tx)
    .selectFrom('gate_link')
    .innerJoin('facility', 'facility.id', 'gate_link.facility_id')
    .selectAll('gate_link')
    .select(['facility.code as facilityCode', 'facility.name as facilityName', 'facility.time_zone as timeZone'])
}
