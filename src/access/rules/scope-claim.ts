import type { Scope } from '../../kernel'

/** The rights in a `scope` claim (RFC 8693, 4.2): words with a space between, of which others than ours mean nothing here. */
export function parseScopeClaim(claim: unknown): Scope[] {
  if (typeof claim !== 'string') return []
  const words = new Set(claim.split(' '))
  return (['read', 'write', 'admin'] as const).filter((scope) => words.has(scope))
}
