import * as z from 'zod'
import { type Context, hint, operation, StudioError, suggest } from '../../kernel'
import type { StorageContext } from '../../storage'
import { listLiveSessions, updateSession } from '../queries/sessions'
import { ConsoleSession, toConsoleSession } from '../schemas'

export const revokeSession = operation({
  id: 'sessions.revoke',
  summary: 'Sign a browser out of the console immediately',
  effect: 'write',
  access: 'admin',
  input: z.strictObject({ id: z.guid().toLowerCase().describe('ID of the session, as shown by list') }),
  output: ConsoleSession,
  errors: ['not_found'],
  cli: {
    command: 'session revoke',
    args: ['id'],
    examples: ['studio session revoke 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10'],
    seeAlso: ['session list', 'console'],
  },
  run(ctx: Context & StorageContext, { id }) {
    return ctx.db.write(async (tx) => {
      const now = ctx.clock.now()
      const row = (await listLiveSessions(tx, now)).find((session) => session.id === id)
      if (!row)
        throw new StudioError('not_found', `There is no active session ${id}.`, {
          hint: hint`List the sessions: ${suggest('sessions.list')}`,
        })
      await updateSession(tx, id, { revoked_at: now })
      return toConsoleSession(row)
    })
  },
})
