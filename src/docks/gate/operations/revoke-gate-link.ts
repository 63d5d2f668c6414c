import * as z from 'zod'
import { findTenantId } from '../../../access'
import { type Context, hint, operation, StudioError, suggest } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { findGateLink, updateGateLink } from '../queries/gate-links'
import { GateLink, presentGateLink } from '../schemas'

export const revokeGateLink = operation({
  id: 'facilities.revoke-gate-link',
  summary: 'Revoke a check-in link of drivers immediately and permanently',
  description: 'Its page no longer opens, and the pages of drivers who wait end. Their check-ins stay.',
  effect: 'write',
  access: { docks: 'manager' },
  input: z.strictObject({ id: z.guid().toLowerCase().describe('ID of the link, as the list shows it') }),
  output: GateLink,
  errors: ['not_found'],
  http: { method: 'delete', path: '/api/gate-links/{id}', extension: true },
  cli: {
    command: 'gate-link revoke',
    args: ['id'],
    examples: ['studio gate-link revoke 6c0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10'],
    seeAlso: ['gate-link list', 'facility gate-link'],
  },
  run(ctx: Context & StorageContext, { id }) {
    return ctx.db.write(async (tx) => {
      const tenantId = await findTenantId(ctx, tx)
      const link = tenantId && (await findGateLink(tx, tenantId, id))
      if (!link)
        throw new StudioError('not_found', `There is no gate link ${id}.`, {
          hint: hint`List the links: ${suggest('facilities.list-gate-links', { facilityCode: '<code>' })}`,
        })
      const now = ctx.clock.now()
      const revoked_at = link.revoked_at ?? now
      if (link.revoked_at === null) await updateGateLink(tx, id, { revoked_at })
      return presentGateLink({ ...link, revoked_at }, now)
    })
  },
})
