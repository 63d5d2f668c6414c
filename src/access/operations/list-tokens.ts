import * as z from 'zod'
import { type Context, newestFirst, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { listTokenRows } from '../queries/tokens'
import { AccessToken, toAccessToken } from '../schemas'

export const listTokens = operation({
  id: 'tokens.list',
  summary: 'List the personal access tokens, including revoked and expired ones',
  effect: 'read',
  access: 'admin',
  input: z.strictObject({}),
  output: z.array(AccessToken),
  errors: [],
  http: { method: 'get', path: '/api/tokens', extension: true, cacheable: () => true },
  listOrder: () => newestFirst,
  cli: {
    command: 'token list',
    examples: ['studio token list', 'studio token list --json --fields id,name,role,lastUsedAt'],
    seeAlso: ['token create', 'token revoke'],
  },
  async run(ctx: Context & StorageContext) {
    return (await ctx.db.read(listTokenRows)).map(toAccessToken)
  },
})
