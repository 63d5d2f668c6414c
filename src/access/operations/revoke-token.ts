import * as z from 'zod'
import { type Context, hint, operation, StudioError, suggest } from '../../kernel'
import type { StorageContext } from '../../storage'
import { findToken, updateToken } from '../queries/tokens'
import { AccessToken, toAccessToken } from '../schemas'

export const revokeToken = operation({
  id: 'tokens.revoke',
  summary: 'Revoke a personal access token immediately and permanently',
  effect: 'write',
  access: 'admin',
  input: z.strictObject({ id: z.guid().toLowerCase().describe('ID of the token, as shown by create and list') }),
  output: AccessToken,
  errors: ['not_found'],
  http: { method: 'delete', path: '/api/tokens/{id}', extension: true },
  cli: {
    command: 'token revoke',
    args: ['id'],
    examples: ['studio token revoke 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10'],
    seeAlso: ['token list', 'token create'],
  },
  run(ctx: Context & StorageContext, { id }) {
    return ctx.db.write(async (tx) => {
      const row = await findToken(tx, id)
      if (!row)
        throw new StudioError('not_found', `There is no token ${id}.`, {
          hint: hint`List the tokens: ${suggest('tokens.list')}`,
        })
      const revoked_at = row.revoked_at ?? ctx.clock.now()
      if (row.revoked_at === null) await updateToken(tx, id, { revoked_at })
      return toAccessToken({ ...row, revoked_at })
    })
  },
})
