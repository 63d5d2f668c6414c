export { accessMigration } from './migrations'
export { countLiveCredentials } from './queries/tokens'
export { type CallFacts, isLoopback, judgeLocalTrust, type TrustVerdict } from './rules/local-trust'
export {
  type AccessPolicy,
  describeAccessPolicy,
  inspectAccess,
  isLocalTrusted,
  requireSafeAccessPolicy,
} from './services/access-policy'
export { findCallerNames } from './services/caller-names'
export {
  endSession,
  openSession,
  redeemSessionLink,
  SESSION_KIND,
  type Session,
  verifySession,
} from './services/console-sessions'
export {
  IdempotencyStore,
  type IdempotentAnswer,
  type IdempotentCall,
} from './services/idempotency-store'
export { type JwtIssuer, loadJwtIssuer } from './services/jwt-issuer'
export { findOrCreateTenantId, findTenantId } from './services/tenants'
export { type BadCredential, type User, verifyTenantKey, verifyToken } from './services/verify-credential'
export { createJwtVerifier, type VerifyJwt } from './services/verify-jwt'

/** Checks whether a service can listen there. */
export async function inspectPort(
  address: import('./services/inspect-port').ListenAddress,
  options: { timeoutMs: number },
): Promise<import('../storage').Finding> {
  return (await import('./services/inspect-port')).inspectPort(address, options)
}
