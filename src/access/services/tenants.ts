import { type Context, hint, StudioError, suggest, suggestCommand } from '../../kernel'
import type { ReadTx, WriteTx } from '../../storage'
import { findTenantByName, insertTenant } from '../queries/tenants'

/** The default tenant of the terminal, created on first use. */
export const DEFAULT_TENANT = 'default'

/**
 * The ID of the tenant of the caller: that of its credential, or the one of the terminal. Null if that is `default` and does not exist yet. Throws
 * `not_found` for any other tenant that does not exist.
 */
export async function findTenantId(ctx: Pick<Context, 'actor'>, tx: ReadTx): Promise<string | null> {
  const { actor } = ctx
  if (actor.kind === 'dock') return actor.tenantId
  return (await findTenant(tx, requireTerminalTenant(ctx)))?.id ?? null
}

/** The same, but creates `default` if it does not exist. */
export async function findOrCreateTenantId(
  ctx: Pick<Context, 'actor' | 'clock' | 'ids'>,
  tx: WriteTx,
): Promise<string> {
  const { actor } = ctx
  return actor.kind === 'dock' ? actor.tenantId : (await findOrCreateTenant(ctx, tx, requireTerminalTenant(ctx))).id
}

/** The tenant with the name; null for `default` if it does not exist yet. */
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

/** The tenant of a terminal. Throws `unauthenticated` for any other caller. */
export function requireTerminalTenant({ actor }: Pick<Context, 'actor'>): string {
  if (actor.kind === 'terminal') return actor.tenant
  throw new StudioError('unauthenticated', 'This call needs a tenant key in the header X-API-Key.', {
    hint: hint`Create a key: ${suggestCommand('tenants.create-key')}`,
  })
}
