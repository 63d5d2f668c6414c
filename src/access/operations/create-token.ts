import * as z from 'zod'
import { type Context, inputError, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { insertToken } from '../queries/tokens'
import { formatCredential, parseExpiry, parsePublicPrefix, SECRET_LENGTH } from '../rules/credential'
import { AccessToken, TokenScope, toAccessToken } from '../schemas'
import { hashCredential, TOKEN_KIND } from '../services/verify-credential'

const ORDER = TokenScope.options

export const createToken = operation({
  id: 'tokens.create',
  summary: 'Make a personal access token for the story API; it is shown this once',
  description: '`write` allows what `read` does; `admin` allows all, and the making of tokens.',
  effect: 'write',
  access: 'admin',
  input: z.strictObject({
    name: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .regex(/^[^\u0000-\u001f\u007f]*$/, 'must not hold control characters')
      .describe('What you call the token: who uses it'),
    scopes: z.array(TokenScope).min(1).max(ORDER.length).default(['read']).describe('What it allows'),
    expires: z
      .string()
      .nullish()
      .describe('When it ends: 30d, 12h, or an instant such as 2027-01-31T00:00:00Z; never where absent'),
  }),
  output: AccessToken.extend({ token: z.string().describe('The token itself; only its hash is kept') }),
  errors: [],
  http: { method: 'post', path: '/api/tokens', extension: true },
  cli: {
    command: 'token create',
    flags: { scopes: false, expires: { value: '30d|instant' } },
    extraFlags: [
      {
        flag: '--scopes <read,write,admin>',
        about: 'what it allows, separated by commas (default: read)',
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
      'studio token create --name ci --scopes read,write --expires 30d --json --fields id,token',
    ],
    seeAlso: ['token list', 'token revoke', 'serve'],
  },
  run(ctx: Context & StorageContext, { name, scopes, expires }) {
    const now = ctx.clock.now()
    const expiry = expires == null ? { at: null } : parseExpiry(expires, now)
    if ('refusal' in expiry) throw inputError([{ path: 'expires', message: expiry.refusal }])
    const token = formatCredential(TOKEN_KIND, ctx.ids.secret(SECRET_LENGTH))
    const row = {
      id: ctx.ids.uuid(),
      name,
      scopes: ORDER.filter((scope) => scopes.includes(scope)).join(' '),
      prefix: parsePublicPrefix(TOKEN_KIND, token)!,
      hash: hashCredential(token),
      created_at: now,
      expires_at: expiry.at,
      last_used_at: null,
      revoked_at: null,
    }
    return ctx.db.write(async (tx) => {
      await insertToken(tx, row)
      return { ...toAccessToken(row), token }
    })
  },
})
