export { idempotencyRecordsMigration as keptAnswersMigration } from './kept-answer-table'
export { accessMigration } from './migrations'
export { countLiveCredentials } from './queries/tokens'
export { type CallFacts, judgeLocalTrust, type TrustVerdict } from './rules/local-trust'
export { isLoopback } from './rules/loopback'
export {
  type AccessPolicy as Posture,
  describeAccessPolicy as postureText,
  inspectAccess,
  isLocalTrusted as trustsLocal,
  requireSafeAccessPolicy as requirePosture,
} from './services/access-policy'
export {
  createProxyCheck as trustedProxies,
  findClientAddress as clientAddress,
  type IsTrustedProxy,
} from './services/client-address'
export {
  IdempotencyStore as AnswerOnce,
  type IdempotentAnswer as OnceAnswer,
  type IdempotentCall as OnceCall,
} from './services/idempotency-store'
export { type JwtIssuer, loadJwtIssuer as jwtIssuerOf } from './services/jwt-issuer'
export { verifyTenantKey } from './services/tenant-key'
export { findOrCreateTenantId as tenantForWriting, findTenantId as tenantOf } from './services/tenants'
export { type BadCredential, type User, verifyToken } from './services/verify-credential'
export { createJwtVerifier as jwtVerifier, type VerifyJwt } from './services/verify-jwt'
export { tokensMigration } from './token-table'

/** What a check-up says of where a service would listen. */
export async function inspectPort(
  place: import('./services/inspect-port').ListenAddress,
  bounds: { mostMs: number },
): Promise<import('../storage').Finding> {
  return (await import('./services/inspect-port')).inspectPort(place, bounds)
}
