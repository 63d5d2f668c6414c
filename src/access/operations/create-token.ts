import * as z from 'zod'
import { type Context, inputError, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { insertToken } from '../queries/tokens'
import { AccessToken, OneLineName, TokenScope, toAccessToken, toRole, UserRole } from '../schemas'
import { parseExpiry } from '../services/credential'
import { issueCredential } from '../services/issue-credential'
import { TOKEN_KIND } from '../services/verify-credential'

export const createToken = operation({
  id: 'tokens.create',
  summary: 'Create a personal access token for the story API and show it once',
  description:
    'A reader reads; an editor also changes what is stored here, such as drafts, views and priorities; a publisher also changes the tracker; an admin also manages tokens and the service. Scopes stand for roles: `read` for reader, `write` for publisher, `admin` for admin.',
  effect: 'write',
  access: 'admin',
  input: z.strictObject({
    name: OneLineName.describe('Name of the token, such as who uses it'),
    role: UserRole.optional().describe('What its owner may do; by default the role of the scopes'),
    scopes: z
      .array(TokenScope)
      .min(1)
      .max(TokenScope.options.length)
      .optional()
      .describe('Scopes in place of the role; read if neither is given'),
    expires: z
      .string()
      .nullish()
      .describe('When it expires: 30d, 12h, or an instant such as 2027-01-31T00:00:00Z; never by default'),
  }),
  output: AccessToken.extend({ token: z.string().describe('The token itself; only its hash is stored') }),
  errors: [],
  http: { method: 'post', path: '/api/tokens', extension: true },
  cli: {
    command: 'token create',
    flags: { scopes: false, expires: { value: '30d|instant' } },
    extraFlags: [
      {
        flag: '--scopes <read,write,admin>',
        about: 'Scopes in place of the role, separated by commas (default: read)',
        standsFor: ['scopes'],
      },
    ],
    toInput: ({ scopes, ...typed }) =>
      scopes === undefined
        ? typed
        : {
            ...typed,
            scopes: String(scopes)
              .split(/[\s,]+/)
              .filter(Boolean),
          },
    examples: [
      'studio token create --name laptop',
      'studio token create --name writer --role editor',
      'studio token create --name ci --scopes read,write --expires 30d --json --fields id,token',
    ],
    seeAlso: ['token list', 'token revoke', 'serve'],
  },
  run(ctx: Context & StorageContext, { name, role, scopes, expires }) {
    if (role !== undefined && scopes !== undefined)
      throw inputError([{ path: 'role', message: 'cannot be combined with scopes' }])
    const expiry = expires == null ? { at: null } : parseExpiry(expires, ctx.clock.now())
    if ('problem' in expiry) throw inputError([{ path: 'expires', message: expiry.problem }])
    const { text: token, row: issued } = issueCredential(ctx, TOKEN_KIND)
    const row = { ...issued, name, role: role ?? toRole(scopes ?? ['read'])!, expires_at: expiry.at }
    return ctx.db.write(async (tx) => {
      await insertToken(tx, row)
      return { ...toAccessToken(row), token }
    })
  },
})
