import type { Finding } from '../finding'
import { findPasswords } from '../passwords/passwords'
import { findTokens } from './tokens'

/** Matches an address that is percent-encoded as a whole, once or several times: `https%3A%2F%2F…`, `https%253A%252F%252F…`. */
const ENCODED_ADDRESS = /https?%(?:25){0,3}3a[\w%.+~!*-]+/gi
const MAX_ENCODINGS = 4

/** Finds encoded addresses that contain a secret. They are removed whole, because their parts are readable only after decoding. */
export function findEncodedAddresses(text: string): Finding[] {
  if (!/3a%/i.test(text)) return []
  return [...text.matchAll(ENCODED_ADDRESS)].flatMap((match) => {
    const address = decodeRepeatedly(match[0])
    const [secret] = [...findTokens(address), ...findPasswords({ text: address, isCode: () => true })]
    return secret ? [{ start: match.index, end: match.index + match[0].length, kind: secret.kind }] : []
  })
}

/** Decodes the text until no further decoding is possible. */
export function decodeRepeatedly(encoded: string): string {
  let text = encoded
  try {
    for (let round = 0; round < MAX_ENCODINGS && text.includes('%'); round++) text = decodeURIComponent(text)
  } catch {
    // A remaining percent sign is not part of an encoding.
  }
  return text
}
