import { createHmac, timingSafeEqual } from 'node:crypto'

/** A request that says it comes from a tracker, as it arrived. */
export interface HookRequest {
  /** Null without this header. */
  header(name: string): string | null
  /** The parameter `secret` of the address; null without one. */
  secretInAddress: string | null
  body: Uint8Array
}

/**
 * Whether the sender knows the secret. GitHub, Jira Cloud and Linear sign the body, Azure DevOps sends a password, GitLab the secret itself, and
 * Jira Data Center has only the address. A signature that is wrong is not made good by anything else.
 */
export function isAuthentic({ header, secretInAddress, body }: HookRequest, secret: string): boolean {
  const signature = header('x-hub-signature-256') ?? header('x-hub-signature')
  if (signature !== null) return isSame(signature.trim().toLowerCase(), signHook(body, secret))
  const ofLinear = header('linear-signature')
  if (ofLinear !== null) return isSame(`sha256=${ofLinear.trim().toLowerCase()}`, signHook(body, secret))
  const given = readCredential(header('authorization')) ?? header('x-gitlab-token') ?? secretInAddress
  return given !== null && isSame(given, secret)
}

/** Whether the request has a proof at all, so that no body is read without one. */
export function hasProof({ header, secretInAddress }: Omit<HookRequest, 'body'>): boolean {
  return secretInAddress !== null || PROOFS.some((name) => header(name) !== null)
}

const PROOFS = ['x-hub-signature-256', 'x-hub-signature', 'linear-signature', 'authorization', 'x-gitlab-token']

/** The value of `X-Hub-Signature-256`. */
export function signHook(body: Uint8Array, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

/** A token, or the password of any user. */
function readCredential(authorization: string | null): string | null {
  const [, scheme = '', value = ''] = /^(Bearer|Basic) +([A-Za-z0-9._~+/=-]+)$/i.exec(authorization ?? '') ?? []
  if (scheme.toLowerCase() !== 'basic') return value === '' ? null : value
  const pair = Buffer.from(value, 'base64').toString()
  const colon = pair.indexOf(':')
  return colon < 0 ? null : pair.slice(colon + 1)
}

/** Compares in constant time. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
