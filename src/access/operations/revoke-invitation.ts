import * as z from 'zod'
import { type Context, hint, operation, StudioError, suggest } from '../../kernel'
import type { StorageContext } from '../../storage'
import { CarrierInvitation, toCarrierInvitation } from '../invitation-schemas'
import { findInvitation, updateInvitation } from '../queries/invitations'
import { isManagedBy } from '../services/managed-tenant'

export const revokeInvitation = operation({
  id: 'carriers.revoke-invitation',
  summary: 'Revoke an invitation of a carrier immediately and permanently',
  description: 'Its links no longer work, and the browsers that it opened are signed out. The appointments stay.',
  effect: 'write',
  access: { docks: 'admin', serviceAdmins: true },
  input: z.strictObject({ id: z.guid().toLowerCase().describe('ID of the invitation, as shown by invite and list') }),
  output: CarrierInvitation,
  errors: ['not_found'],
  http: { method: 'delete', path: '/api/carrier-invitations/{id}', extension: true },
  cli: {
    command: 'carrier invitation revoke',
    args: ['id'],
    examples: ['studio carrier invitation revoke 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10'],
    seeAlso: ['carrier invitation list', 'carrier invite', 'carrier exclude'],
  },
  run(ctx: Context & StorageContext, { id }) {
    return ctx.db.write(async (tx) => {
      const row = await findInvitation(tx, id)
      if (!row || !isManagedBy(ctx, row.tenant_id))
        throw new StudioError('not_found', `There is no invitation ${id}.`, {
          hint: hint`List the invitations: ${suggest('carriers.list-invitations')}`,
        })
      const now = ctx.clock.now()
      const revoked_at = row.revoked_at ?? now
      if (row.revoked_at === null) await updateInvitation(tx, id, { revoked_at })
      return toCarrierInvitation(row.tenant, { ...row, revoked_at }, now)
    })
  },
})
