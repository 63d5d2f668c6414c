import type { Finding } from '../finding'
import { findPasswords } from '../passwords/passwords'
import { findLongRuns } from './long-runs'
import { findPrivateKeys } from './private-keys'
import { findTokens } from './tokens'

const BASE64 = /(?<![\w+/-])[\w+/-]{12,}={0,2}/g
/** Base64 of a text has capitals or digits, and nearly all words do not. */
const MIXED = /^[\w+/-]{0,40}[A-Z\d]/

/** Matches what announces a user name and password in base64: `"auth": "` of Docker, `_auth=` of npm, `Basic ` of HTTP. */
const AUTH_LABEL = /(?:\bbasic\s{1,3}|["']auth["']\s{0,3}:\s{0,3}["']|\b_auth["']?\s{0,3}[:=]\s{0,3}["']?)$/i
const USER_AND_PASSWORD = /^[^\s:]{1,200}:\S{2,}$/
const MAX_LABEL_CHARACTERS = 20

const PRINTABLE = /^[\t\n\r\x20-\x7e]+$/
/** A separator that no decoded text contains. */
const SEPARATOR = '\n\0\n'

interface Decoded {
  start: number
  end: number
  text: string
}

/** Finds base64 that contains a secret once it is decoded: a token, a key, a pair with a password, a login of a registry. */
export function findEncodedSecrets(text: string): Finding[] {
  const decoded = decodeAll(text)
  if (decoded.length === 0) return []
  const logins = decoded.filter(
    ({ start, text: login }) =>
      USER_AND_PASSWORD.test(login) && AUTH_LABEL.test(text.slice(Math.max(0, start - MAX_LABEL_CHARACTERS), start)),
  )
  const joined = decoded.map((part) => part.text).join(SEPARATOR)
  const found = [
    ...findPrivateKeys(joined),
    ...findTokens(joined),
    ...findPasswords({ text: joined, isCode: () => true }),
  ].sort((a, b) => a.start - b.start)
  return [...logins.map(({ start, end }) => ({ start, end, kind: 'password' as const })), ...placesOf(found, decoded)]
}

function decodeAll(text: string): Decoded[] {
  return findLongRuns(text).flatMap((run) =>
    [...run.text.matchAll(BASE64)].flatMap(({ index, 0: encoded }) => {
      const decoded = MIXED.test(encoded) ? decode(encoded) : null
      const start = run.start + index
      return decoded === null ? [] : [{ start, end: start + encoded.length, text: decoded }]
    }),
  )
}

function decode(encoded: string): string | null {
  const written = encoded.replace(/={1,2}$/, '')
  // For nearly all other texts, such as words and digests, decoding the first characters is enough to rule them out.
  for (const part of written.length > FIRST_CHARACTERS ? [written.slice(0, FIRST_CHARACTERS), written] : [written]) {
    if (part.length % 4 === 1 || !PRINTABLE.test(decodeBase64(part))) return null
  }
  return decodeBase64(written)
}

const FIRST_CHARACTERS = 16

function decodeBase64(part: string): string {
  return atob(part.replaceAll('-', '+').replaceAll('_', '/'))
}

/** Returns the encoded texts that contain a finding. */
function placesOf(found: readonly Finding[], decoded: readonly Decoded[]): Finding[] {
  const places: Finding[] = []
  let from = 0
  let next = 0
  for (const { start, end, text } of decoded) {
    const to = from + text.length
    while ((found[next]?.end ?? Number.POSITIVE_INFINITY) <= from) next++
    const finding = found[next]
    if (finding && finding.start < to) places.push({ start, end, kind: finding.kind })
    from = to + SEPARATOR.length
  }
  return places
}
