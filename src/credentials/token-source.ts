import { isRecord, parseJson } from '../kernel/json'
import { MINUTE_MS } from '../kernel/time'

/** A token is replaced before it expires, because a request takes some time. */
const MARGIN_MS = 1 * MINUTE_MS

/** Where the token for another server comes from. */
export interface TokenSource {
  /** The current token. Throws if there is none. */
  read(signal: AbortSignal): Promise<string>
  /** A token in the place of one that the server has rejected; null if there is no other. */
  renew(rejected: string, signal: AbortSignal): Promise<string | null>
  /** What to do if the server accepts none: a hint. */
  advice: string | null
}

/** A token of the settings, which stays the same. */
export function fixedToken(token: string): TokenSource {
  return { read: async () => token, renew: async () => null, advice: null }
}

/** Whether a token may be used now. One without a known end may be, until the server rejects it. */
export function isFresh(expiresAt: number | null, now: number): boolean {
  return expiresAt === null || now < expiresAt - MARGIN_MS
}

/** A token is sent in a header, so it has only characters that a header may have. */
export function isToken(text: string): boolean {
  return /^[\x21-\x7e]{1,16384}$/.test(text)
}

/** Whether it is a signed token of an identity provider, such as Entra ID, and not one that the server itself has made. */
export function isSignedToken(token: string): boolean {
  return /^ey[\w-]+\.[\w-]+\.[\w-]+$/.test(token)
}

/** When a signed token expires, in milliseconds since 1970; null if it does not say so. */
export function readExpiry(token: string): number | null {
  if (!isSignedToken(token)) return null
  const claims = parseJson(Buffer.from(token.split('.')[1]!, 'base64url').toString('utf8'))
  const exp = isRecord(claims) ? claims['exp'] : null
  return typeof exp === 'number' ? exp * 1000 : null
}
