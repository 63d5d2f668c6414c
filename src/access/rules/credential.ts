/**
 * The form of a secret that studio hands out: a kind, 30 characters of chance, 6 of checksum. The checksum lets a mistyped
 * or invented credential be refused without a database query.
 */
export type CredentialKind = 'studio_key_' | 'studio_pat_'

export const SECRET_LENGTH = 30
const CHECKSUM_LENGTH = 6
/** How much of the chance is public, to find the credential by. */
const PREFIX_LENGTH = 8

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The whole credential around `secret`, 30 characters out of 0-9A-Za-z. */
export function formatCredential(kind: CredentialKind, secret: string): string {
  return `${kind}${secret}${computeChecksum(secret)}`
}

/** The part of a credential that may be stored and shown; null for what cannot be one of this kind. */
export function parsePublicPrefix(kind: CredentialKind, text: string): string | null {
  const match = /^([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/.exec(text.startsWith(kind) ? text.slice(kind.length) : '')
  if (!match || computeChecksum(match[1]!) !== match[2]) return null
  return kind + match[1]!.slice(0, PREFIX_LENGTH)
}

/** CRC-32 (ISO 3309, polynomial EDB88320 reflected) as six base62 digits. */
function computeChecksum(secret: string): string {
  let crc = 0xffffffff
  for (const character of secret) {
    crc ^= character.charCodeAt(0)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  let rest = (crc ^ 0xffffffff) >>> 0
  let digits = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = BASE62[rest % 62] + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
