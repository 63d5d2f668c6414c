import type { ReadTx, WriteTx } from '../../storage'
import type { TokenTable } from '../tables'
import { accessTables } from './access-tables'

export async function insertToken(tx: WriteTx, token: TokenTable): Promise<void> {
  await accessTables(tx).insertInto('access_token').values(token).execute()
}

/** Newest first. */
export function listTokenRows(tx: ReadTx): Promise<TokenTable[]> {
  return accessTables(tx).selectFrom('access_token').selectAll().orderBy('created_at', 'desc').orderBy('id').execute()
}

export async function findToken(tx: ReadTx, id: string): Promise<TokenTable | null> {
  return (await accessTables(tx).selectFrom('access_token').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

export function findTokensByPrefix(tx: ReadTx, prefix: string): Promise<TokenTable[]> {
  return accessTables(tx).selectFrom('access_token').selectAll().where('prefix', '=', prefix).execute()
}

export async function updateToken(
  tx: WriteTx,
  id: string,
  changes: Partial<Pick<TokenTable, 'last_used_at' | 'revoked_at'>>,
): Promise<void> {
  await accessTables(tx).updateTable('access_token').set(changes).where('id', '=', id).execute()
}

/** The number of tokens and dock keys that are valid at `now`. */
export async function countLiveCredentials(tx: ReadTx, now: number): Promise<{ tokens: number; keys: number }> {
  const live = await accessTables(tx)
    .selectFrom('access_token')
    .select((expression) => expression.fn.countAll().as('count'))
    .where('revoked_at', 'is', null)
    .where((expression) => expression.or([expression('expires_at', 'is', null), expression('expires_at', '>', now)]))
    .executeTakeFirstOrThrow()
  const keys = await accessTables(tx)
    .selectFrom('tenant_key')
    .select((expression) => expression.fn.countAll().as('count'))
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return { tokens: Number(live.count), keys: Number(keys.count) }
}
