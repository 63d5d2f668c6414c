import type { ReadTx, WriteTx } from '../../storage'
import type { SessionTable } from '../tables'
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
  changes: Partial<
    Pick<
      SessionTable,
      | 'last_used_at'
      | 'expires_at'
      | 'revoked_at'
      | 'name'
      | 'role'
      | 'provider_tokens'
      | 'checked_at'
      | 'confirmed_at'
      | 'verified_email'
      | 'verified_at'
      | 'member_id'
      | 'tenant_id'
      | 'key_id'
    >
  >,
): Promise<void> {
  await accessTables(tx).updateTable('console_session').set(changes).where('id', '=', id).execute()
}

/** Notes that the provider is asked about a session. False if another call has noted it since `previous`. */
export async function claimCheck(
  tx: WriteTx,
  { id, previous, now }: { id: string; previous: number; now: number },
): Promise<boolean> {
  const claimed = await accessTables(tx)
    .updateTable('console_session')
    .set({ checked_at: now })
    .where('id', '=', id)
    .where('checked_at', '=', previous)
    .returning('id')
    .execute()
  return claimed.length === 1
}

/** Ends those sessions of a person, or of one session at the provider, that were opened until then. */
export async function endProviderSessions(
  tx: WriteTx,
  { subject, session, at }: { subject: string | null; session: string | null; at: number },
  now: number,
): Promise<void> {
  let query = accessTables(tx)
    .updateTable('console_session')
    .set({ revoked_at: now })
    .where('revoked_at', 'is', null)
    .where('subject', 'is not', null)
    .where('created_at', '<=', at)
  if (subject !== null) query = query.where('subject', '=', subject)
  if (session !== null) query = query.where('provider_session', '=', session)
  await query.execute()
}

/** Changes or ends the sessions and links of a person who signs in by mail. */
export async function updatePersonSessions(
  tx: WriteTx,
  email: string,
  changes: Partial<Pick<SessionTable, 'name' | 'role' | 'revoked_at'>>,
): Promise<void> {
  const sessions = accessTables(tx).updateTable('console_session').where('person_email', '=', email)
  await sessions.set(changes).where('revoked_at', 'is', null).execute()
}

/** Rows that no list shows. */
export async function deleteSessionsExpiredBefore(tx: WriteTx, instant: number): Promise<void> {
  await accessTables(tx).deleteFrom('console_session').where('expires_at', '<', instant).execute()
}
