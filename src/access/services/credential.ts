import * as z from 'zod'
import { crc32 } from '../../kernel/crc32'
import { DAY_MS, HOUR_MS } from '../../kernel/time'

/**
 * A credential is a kind, 30 random characters and 6 characters of checksum. The checksum lets a mistyped or invented credential be
 * refused without a database query.
 */
export type CredentialKind =
  | 'studio_key_'
  | 'studio_pat_'
  | 'studio_ses_'
  | 'studio_inv_'
  | 'studio_por_'
  | 'studio_gat_'
  | 'studio_vis_'

export const SECRET_LENGTH = 30
const CHECKSUM_LENGTH = 6
/** The number of random characters in the public prefix, by which the credential is found. */
const PREFIX_LENGTH = 8

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Builds the credential from `secret`, 30 characters of 0-9A-Za-z. */
export function formatCredential(kind: CredentialKind, secret: string): string {
  return `${kind}${secret}${computeChecksum(secret)}`
}

/** The part of a credential that may be stored and shown; null if the text is not a credential of this kind. */
export function parsePublicPrefix(kind: CredentialKind, text: string): string | null {
  const match = /^([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/.exec(text.startsWith(kind) ? text.slice(kind.length) : '')
  if (!match || computeChecksum(match[1]!) !== match[2]) return null
  return kind + match[1]!.slice(0, PREFIX_LENGTH)
}

/** CRC-32 as six base62 digits. */
function computeChecksum(secret: string): string {
  let rest = crc32(secret)
  let digits = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = BASE62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

const UNITS_MS = { h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS }

/** The last instant with a year of four digits. */
const MAX_INSTANT_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** ISO 8601 with its offset, to the second or to the minute. Date.parse alone moves 30 February into March. */
const Instant = z.union([z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })])

type Expiry = { at: number } | { problem: string }

/** Parses a duration from now (`12h`, `30d`, `8w`) or an instant (ISO 8601 with its offset) to epoch milliseconds. */
export function parseExpiry(text: string, now: number): Expiry {
  const at = parseDuration(text, now) ?? (Instant.safeParse(text).success ? Date.parse(text) : null)
  if (at === null || Number.isNaN(at))
    return { problem: 'must be a duration such as 30d or 12h, or an instant such as 2027-01-31T00:00:00Z' }
  if (at <= now) return { problem: 'must be in the future' }
  return at > MAX_INSTANT_MS ? { problem: 'must be before the year 10000' } : { at }
}

function parseDuration(text: string, now: number): number | null {
  const span = /^(\d{1,6})([hdw])$/.exec(text)
  return span ? now + Number(span[1]) * UNITS_MS[span[2] as keyof typeof UNITS_MS] : null
}

/** Whether what a secret opens can still be opened. */
export const credentialStates = ['live', 'expired', 'revoked'] as const

/** @param expires_at null if it does not expire */
export function judgeState(
  { expires_at, revoked_at }: { expires_at: number | null; revoked_at: number | null },
  now: number,
): (typeof credentialStates)[number] {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && expires_at <= now ? 'expired' : 'live'
}
