import type { ReadTx, WriteTx } from '../../storage'
import type { SessionTable } from '../migrations'
import { accessTables } from './access-tables'

export async function insertSession(tx: WriteTx, session: SessionTable): Promise<void> {
  await accessTables(tx).insertInto('console_session').values(session).execute()
}

/** Sessions and links that are neither revoked nor expired, newest first, with the name of their tenant. */
export function listLiveSessions(tx: ReadTx, now: number): Promise<(SessionTable & { tenant: string | null })[]> {
  return accessTables(tx)
    .selectFrom('console_session')
    .leftJoin('tenant', 'tenant.id', 'console_session.tenant_id')
    .selectAll('console_session')
    .select('tenant.name as tenant')
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('console_session.created_at', 'desc')
    .orderBy('console_session.id')
    .execute()
}

export function findSessionsByPrefix(tx: ReadTx, prefix: string): Promise<SessionTable[]> {
  return accessTables(tx).selectFrom('console_session').selectAll().where('prefix', '=', prefix).execute()
}

export async function updateSession(
  tx: WriteTx,
  id: string,
  changes: Partial<Pick<SessionTable, 'last_used_at' | 'revoked_at'>>,
): Promise<void> {
  await accessTables(tx).updateTable('console_session').set(changes).where('id', '=', id).execute()
}

/** Rows that no list shows. */
export async function deleteSessionsExpiredBefore(tx: WriteTx, instant: number): Promise<void> {
  await accessTables(tx).deleteFrom('console_session').where('expires_at', '<', instant).execute()
}
