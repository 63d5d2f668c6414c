import { precompileQuery, type ReadTx, type WriteTx } from '../../storage'
import type { TenantKeyTable, TenantTable } from '../tables'
import { accessTables } from './access-tables'

export async function findTenantByName(tx: ReadTx, name: string): Promise<TenantTable | null> {
  return (await accessTables(tx).selectFrom('tenant').selectAll().where('name', '=', name).executeTakeFirst()) ?? null
}

export async function findTenantById(tx: ReadTx, id: string): Promise<TenantTable | null> {
  return (await accessTables(tx).selectFrom('tenant').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

/** Every tenant by name, with the number of its keys that are not revoked. */
export function listTenantsWithKeyCounts(tx: ReadTx): Promise<(TenantTable & { live_keys: unknown })[]> {
  return accessTables(tx)
    .selectFrom('tenant')
    .leftJoin('tenant_key', (join) =>
      join.onRef('tenant_key.tenant_id', '=', 'tenant.id').on('tenant_key.revoked_at', 'is', null),
    )
    .select(['tenant.id', 'tenant.name', 'tenant.created_at'])
    .select((expression) => expression.fn.count('tenant_key.id').as('live_keys'))
    .groupBy(['tenant.id', 'tenant.name', 'tenant.created_at'])
    .orderBy('tenant.name')
    .execute()
}

export async function insertTenant(tx: WriteTx, tenant: TenantTable): Promise<void> {
  await accessTables(tx).insertInto('tenant').values(tenant).execute()
}

/** The keys of a tenant, newest first. */
export function listKeys(tx: ReadTx, tenantId: string): Promise<TenantKeyTable[]> {
  return accessTables(tx)
    .selectFrom('tenant_key')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

export async function findKey(tx: ReadTx, id: string): Promise<(TenantKeyTable & { tenant: string }) | null> {
  const row = await accessTables(tx)
    .selectFrom('tenant_key')
    .innerJoin('tenant', 'tenant.id', 'tenant_key.tenant_id')
    .selectAll('tenant_key')
    .select('tenant.name as tenant')
    .where('tenant_key.id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** Precompiled because every request with a key runs it. */
export function findLiveKeysByPrefix(tx: ReadTx, prefix: string): Promise<TenantKeyTable[]> {
  return runFindLiveKeys(tx, { prefix })
}

const runFindLiveKeys = precompileQuery((tx, { prefix }: { prefix: string }) =>
  accessTables(tx).selectFrom('tenant_key').selectAll().where('prefix', '=', prefix).where('revoked_at', 'is', null),
)

export async function insertKey(tx: WriteTx, key: TenantKeyTable): Promise<void> {
  await accessTables(tx).insertInto('tenant_key').values(key).execute()
}

export async function updateKey(
  tx: WriteTx,
  id: string,
  changes: Partial<Pick<TenantKeyTable, 'last_used_at' | 'revoked_at'>>,
): Promise<void> {
  await accessTables(tx).updateTable('tenant_key').set(changes).where('id', '=', id).execute()
}
