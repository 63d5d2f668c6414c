import * as z from 'zod'
import { type Context, newestFirst, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { CarrierInvitation, toCarrierInvitation } from '../invitation-schemas'
import { listInvitations as readInvitations } from '../queries/invitations'
import { ManagedTenant } from '../schemas'
import { findManagedTenant } from '../services/managed-tenant'

export const listInvitations = operation({
  id: 'carriers.list-invitations',
  summary: 'List the invitations of carriers to the portal',
  description: 'Newest first, with those that have expired or were revoked.',
  effect: 'read',
  access: { docks: 'admin', serviceAdmins: true },
  input: z.strictObject({ tenant: ManagedTenant }),
  output: z.array(CarrierInvitation),
  errors: ['not_found'],
  http: { method: 'get', path: '/api/carrier-invitations', extension: true },
  listOrder: () => newestFirst,
  cli: {
    command: 'carrier invitation list',
    examples: [
      'studio carrier invitation list',
      'studio carrier invitation list --json --fields id,carrier,email,state,lastUsedAt',
    ],
    seeAlso: ['carrier invite', 'carrier invitation revoke'],
  },
  run(ctx: Context & StorageContext, input) {
    return ctx.db.read(async (tx) => {
      const tenant = await findManagedTenant(ctx, tx, input.tenant)
      if (!tenant) return []
      const now = ctx.clock.now()
      return (await readInvitations(tx, tenant.id)).map((row) => toCarrierInvitation(tenant.name, row, now))
    })
  },
})
