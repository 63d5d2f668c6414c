export { AnswerOnce, type OnceAnswer, type OnceCall } from './answer-once'
export { clientAddress, type IsTrustedProxy, trustedProxies } from './client-address'
export { jwtVerifier, type VerifyJwt } from './jwt'
export { type JwtIssuer, jwtIssuerOf } from './jwt-settings'
export { keptAnswersMigration } from './kept-answer-table'
export { inspectAccess, type Posture, postureText, requirePosture, trustsLocal } from './posture'
export { type CallFacts, judgeLocalTrust, type TrustVerdict } from './rules/local-trust'
export { isLoopback } from './rules/loopback'
export { accessMigration } from './tables'
export { tenantForWriting, tenantOf } from './tenant'
export { verifyTenantKey } from './tenant-key'
export { type BadCredential, type User, verifyToken } from './token'
export { countLiveCredentials } from './token-queries'
export { tokensMigration } from './token-table'

/** What a check-up says of where a service would listen. */
export async function inspectPort(
  place: import('./inspect-port').ListeningPlace,
  bounds: { mostMs: number },
): Promise<import('../storage').Finding> {
  return (await import('./inspect-port')).inspectPort(place, bounds)
}
