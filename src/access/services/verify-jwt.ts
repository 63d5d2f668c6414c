import type { webcrypto } from 'node:crypto'
import { type Role, roles, StudioError } from '../../kernel'
import { errorCodeOf } from '../../kernel/errors'
import { isRecord, parseJson } from '../../kernel/json'
import { memoizeAsync } from '../../kernel/work/memoize-async'
import { TokenScope, toRole } from '../schemas'
import type { JwtIssuer } from './jwt-issuer'
import { type BadCredential, refuseCredential, type User } from './verify-credential'

/** Returns the user of a JWT. Throws `unavailable` if the keys of the issuer cannot be fetched. */
export type VerifyJwt = (token: string, now: number) => Promise<User | BadCredential>

/** An issuer that does not answer must not hold up the call, and an unknown key ID must not cause repeated requests. */
const KEYS_TIMEOUT_MS = 5_000
const KEYS_COOLDOWN_MS = 30_000
/** After a request that failed. Until then no token is verified, so it is shorter. */
const KEYS_RETRY_MS = 10_000
const MAX_KEYS_BYTES = 256 * 1024
const MAX_SUBJECT_LENGTH = 255

/** Creates the verifier of an issuer. The library is loaded for the first token. */
export function createJwtVerifier({ issuer, audience, algorithms, keys }: JwtIssuer): VerifyJwt {
  const open = memoizeAsync(async () => {
    const { createRemoteJWKSet, customFetch, jwtVerify } = await import('jose')
    const known = { issuer, audience, algorithms, requiredClaims: ['exp', 'sub'] }
    const key =
      'key' in keys
        ? async () => keys.key
        : createRemoteJWKSet(keys.jwksUrl, {
            timeoutDuration: KEYS_TIMEOUT_MS,
            cooldownDuration: KEYS_COOLDOWN_MS,
            [customFetch]: createKeysFetch(),
          })
    return async (token: string, now: number) => {
      const options = { ...known, currentDate: new Date(now) }
      try {
        return (await jwtVerify(token, key, options)).payload
      } catch (error) {
        if (errorCodeOf(error) !== 'ERR_JWKS_MULTIPLE_MATCHING_KEYS') throw error
        // A token without a key ID may match any key of its algorithm, for example while an issuer rotates its keys.
        for await (const candidate of error as AsyncIterable<webcrypto.CryptoKey>) {
          try {
            return (await jwtVerify(token, candidate, options)).payload
          } catch (refused) {
            if (errorCodeOf(refused) !== 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED') throw refused
          }
        }
        throw error
      }
    }
  })
  return async (token, now) => {
    const verify = await open()
    try {
      const { sub, scope } = await verify(token, now)
      if (typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT_LENGTH)
        return refuseCredential('The token has no valid subject.')
      return { kind: 'user', name: sub, role: parseScopeClaim(scope), tokenId: null }
    } catch (error) {
      const reason = describeTokenError(error)
      if (reason !== null) return refuseCredential(reason)
      throw new StudioError('unavailable', 'The keys to verify the token cannot be fetched.', {
        hint: 'Check that auth.jwt.jwksUrl is reachable, and try again.',
        retryAfterSeconds: KEYS_RETRY_MS / 1000,
        cause: error,
      })
    }
  }
}

/**
 * Fetches the keys once for all tokens that wait for them. The library waits between requests that succeed; after one that failed, this
 * waits too, so that tokens do not add to the load of an issuer that cannot answer.
 */
function createKeysFetch(): (url: string, init: RequestInit) => Promise<Response> {
  let running: Promise<string> | null = null
  let failed: { at: number; error: unknown } | null = null
  return async (url, init) => {
    if (failed !== null && performance.now() - failed.at < KEYS_RETRY_MS) throw failed.error
    running ??= fetchKeys(url, init).finally(() => {
      running = null
    })
    try {
      const text = await running
      failed = null
      return new Response(text)
    } catch (error) {
      failed = { at: performance.now(), error }
      throw error
    }
  }
}

/** Limits the size of the response, because it is held in memory. */
async function fetchKeys(url: string, init: RequestInit): Promise<string> {
  const response = await fetch(url, init)
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_KEYS_BYTES) throw new Error(`The keys at ${url} are longer than ${MAX_KEYS_BYTES} bytes.`)
    chunks.push(chunk)
  }
  const text = Buffer.concat(chunks).toString('utf8')
  const keys = parseJson(text)
  if (response.status === 200 && isRecord(keys) && Array.isArray(keys['keys'])) return text
  throw new Error(`The answer of ${url} is not a set of keys. Its status is ${response.status}.`)
}

/** Why the token is invalid; null if the error is not about the token. */
function describeTokenError(error: unknown): string | null {
  const { code, claim } = error as { code?: unknown; claim?: unknown }
  if (code === 'ERR_JWT_EXPIRED') return 'The token has expired.'
  if (code === 'ERR_JWT_CLAIM_VALIDATION_FAILED')
    return `The token's claim ${String(claim)} is missing or not accepted.`
  return typeof code === 'string' && TOKEN_ERROR_CODES.test(code) ? 'The token is not accepted.' : null
}

const TOKEN_ERROR_CODES =
  /^ERR_(JWT_INVALID|JWS_INVALID|JWS_SIGNATURE_VERIFICATION_FAILED|JOSE_ALG_NOT_ALLOWED|JOSE_NOT_SUPPORTED|JWKS_NO_MATCHING_KEY|JWKS_MULTIPLE_MATCHING_KEYS)$/

/**
 * The widest role in a `scope` claim (RFC 8693, 4.2), whose words are separated by spaces: a role, or an older name of one. Other
 * words are ignored.
 */
export function parseScopeClaim(claim: unknown): Role | null {
  if (typeof claim !== 'string') return null
  const words = new Set(claim.split(' '))
  const meant = toRole(TokenScope.options.filter((scope) => words.has(scope)))
  return roles.findLast((role) => role === meant || words.has(role)) ?? null
}
