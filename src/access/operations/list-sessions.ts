import * as z from 'zod'
import { type Context, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { listLiveSessions } from '../queries/sessions'
import { ConsoleSession, toConsoleSession } from '../schemas'

export const listSessions = operation({
  id: 'sessions.list',
  summary: 'List the browsers that are signed in to the console',
  description: 'Newest first, with the links that were not opened yet.',
  effect: 'read',
  access: 'admin',
  input: z.strictObject({}),
  output: z.array(ConsoleSession),
  errors: [],
  cli: {
    command: 'session list',
    examples: ['studio session list', 'studio session list --json --fields id,name,address,lastUsedAt'],
    seeAlso: ['session revoke', 'console'],
  },
  async run(ctx: Context & StorageContext) {
    return (await ctx.db.read((tx) => listLiveSessions(tx, ctx.clock.now()))).map(toConsoleSession)
  },
})
