import { type Context, hint, StudioError, suggest } from '../../kernel'
import type { ReadTx, WriteTx } from '../../storage'
import { findTenantByName, insertTenant } from '../queries/tenants'

/** The tenant that the terminal works on where nobody names another; it is made on first use. */
export const DEFAULT_TENANT = 'default'

/**
 * The id of the tenant whose rows the caller sees: a key's own, or the one that the terminal works on. Null where that is
 * `default` and has not been made yet, so has nothing. Throws `not_found` for another tenant that does not exist.
 */
export async function findTenantId(ctx: Pick<Context, 'actor'>, tx: ReadTx): Promise<string | null> {
  const { actor } = ctx
  if (actor.kind === 'tenant-key') return actor.tenantId
  return (await findTenant(tx, requireTerminalTenant(ctx)))?.id ?? null
}

/** The same for what writes: `default` is made where it is not there yet. */
export async function findOrCreateTenantId(
  ctx: Pick<Context, 'actor' | 'clock' | 'ids'>,
  tx: WriteTx,
): Promise<string> {
  const { actor } = ctx
  return actor.kind === 'tenant-key'
    ? actor.tenantId
    : (await findOrCreateTenant(ctx, tx, requireTerminalTenant(ctx))).id
}

/** The tenant of that name; null for `default` that has not been made yet. */
export async function findTenant(tx: ReadTx, name: string) {
  const tenant = await findTenantByName(tx, name)
  if (tenant || name === DEFAULT_TENANT) return tenant
  throw new StudioError('not_found', `There is no tenant ${name}.`, {
    hint: hint`Create it: ${suggest('tenants.create', { name })}`,
  })
}

export async function findOrCreateTenant(ctx: Pick<Context, 'clock' | 'ids'>, tx: WriteTx, name: string) {
  const known = await findTenant(tx, name)
  if (known) return known
  const tenant = { id: ctx.ids.uuid(), name, created_at: ctx.clock.now() }
  await insertTenant(tx, tenant)
  return tenant
}

/** The name of the tenant that the person at the terminal works on. */
export function requireTerminalTenant({ actor }: Pick<Context, 'actor'>): string {
  if (actor.kind === 'terminal') return actor.tenant
  throw new StudioError('unauthenticated', 'This call needs a tenant key in the header X-API-Key.', {
    hint: hint`Create a key: ${suggest('tenants.create-key')}`,
  })
}
