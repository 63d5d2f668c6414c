import { type Context, inputError, StudioError } from '../../kernel'
import type { ReadTx, WriteTx } from '../../storage'
import { findTenantById } from '../queries/tenants'
import type { TenantTable } from '../tables'
import { findOrCreateTenant, findTenant, requireTerminalTenant } from './tenants'

type Caller = Pick<Context, 'actor'>

/**
 * The tenant whose keys or staff the caller manages: that of its own credential at the docks, else the one that it names, by default the
 * one of the terminal. Null for `default` if it does not exist yet. Throws `not_found`, for a tenant of others too.
 */
export async function findManagedTenant(ctx: Caller, tx: ReadTx, name?: string): Promise<TenantTable | null> {
  const { actor } = ctx
  if (actor.kind !== 'dock') return findTenant(tx, name ?? nameTenant(ctx))
  const own = await findTenantById(tx, actor.tenantId)
  if (own !== null && (name === undefined || name === own.name)) return own
  throw new StudioError('not_found', `There is no tenant ${name ?? actor.tenantId}.`, {
    hint: 'Leave the tenant out: you manage your own.',
  })
}

/** The same, but creates `default` if it does not exist. */
export async function openManagedTenant(
  ctx: Caller & Pick<Context, 'clock' | 'ids'>,
  tx: WriteTx,
  name?: string,
): Promise<TenantTable> {
  return (await findManagedTenant(ctx, tx, name)) ?? findOrCreateTenant(ctx, tx, name ?? nameTenant(ctx))
}

/** Whether the caller manages the keys and the staff of the tenant with the ID. */
export function isManagedBy({ actor }: Caller, tenantId: string): boolean {
  return actor.kind !== 'dock' || actor.tenantId === tenantId
}

function nameTenant(ctx: Caller): string {
  if (ctx.actor.kind === 'terminal') return requireTerminalTenant(ctx)
  throw inputError([{ path: 'tenant', message: 'is required for an admin of the service' }])
}
