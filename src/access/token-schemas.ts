import * as z from 'zod'
import type { Scope } from '../kernel'
import { instant } from './schemas'
import type { TokenTable } from './token-table'

const Instant = z.string().describe('ISO 8601 UTC with milliseconds')

export const TokenScope = z.enum(['read', 'write', 'admin']) satisfies z.ZodType<Scope>

/** A token as it is kept: without its secret. */
export const AccessToken = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(TokenScope),
  prefix: z.string().describe('The public part of the token'),
  createdAt: Instant,
  expiresAt: Instant.nullable().describe('Null where it does not expire'),
  lastUsedAt: Instant.nullable().describe('To the minute; null before the first use'),
  revokedAt: Instant.nullable(),
})
export type AccessToken = z.infer<typeof AccessToken>

export function toAccessToken(row: TokenTable): AccessToken {
  const orNull = (epochMs: number | null) => (epochMs === null ? null : instant(epochMs))
  return {
    id: row.id,
    name: row.name,
    scopes: parseScopes(row),
    prefix: row.prefix,
    createdAt: instant(row.created_at),
    expiresAt: orNull(row.expires_at),
    lastUsedAt: orNull(row.last_used_at),
    revokedAt: orNull(row.revoked_at),
  }
}

export function parseScopes({ scopes }: Pick<TokenTable, 'scopes'>): Scope[] {
  return scopes.split(' ') as Scope[]
}
