import type { Finding, Run } from './finding'
import { isRandomText, isWordLike } from './random-text'

/** Separators among the random characters leave a piece of at least this length, or they are words. */
const MIN_PIECE_LENGTH = 12

/**
 * Fewer random characters than 30 could be the name or version of something.
 * `sk_live_`, `xai-`, `sk-or-v1-`, `hvs.`, `pk_12345678_`: words that name the vendor and the use of a token.
 */
const CANDIDATE =
  /(?<![A-Za-z0-9_.-])(?<prefix>(?:[A-Za-z][A-Za-z0-9]{0,9}[_.-])(?:(?:[a-z]{1,10}|[A-Z]{1,10}|[a-z]{1,5}\d{1,3}|\d{1,12})[_-]){0,3})(?<body>[A-Za-z0-9_-]{30,})/dg

/** What random characters in hexadecimal are behind, where they are no secret: digests, commits and ids of all sorts. */
const NAMED_ID =
  /^(?:sha\d*|md5|blake\w*|hash|digest|checksum|etag|commit|rev|revision|git|build|release|version|img|image|layer|file|doc|obj|object|id|uid|uuid|guid|trace|span|req|request|event|msg|message|order|item|user|tmp|temp|cache|asset|chunk|main|app|bundle)[_.-]/i

/** What is behind these is never a secret: `sha512-…` of a package. */
const DIGEST = /^(?:sha\d*|md5|blake\w*)[_.-]/i

/** Such a word leaves no doubt. */
const CREDENTIAL = /(?:^|[_.-])(?:sk|pk|rk|ak|pat|key|api|token|tok|secret|auth|cred|live|test|prod)[_.-]/i

/** Further parts of a token, such as the signature behind a payload. */
const REST = /[\w+/=~-]*(?:\.[\w=-]{10,})*/y

/** Tokens of any vendor: a known-looking prefix, then 30 or more random characters. */
export function findTokenShapes(runs: readonly Run[]): Finding[] {
  const findings: Finding[] = []
  for (const { start, text } of runs) {
    for (const match of text.matchAll(CANDIDATE)) {
      const { prefix = '', body = '' } = match.groups ?? {}
      if (!isToken(prefix, body)) continue
      REST.lastIndex = match.index + match[0].length
      REST.test(text)
      findings.push({ start: start + match.index, end: start + REST.lastIndex, kind: 'token' })
    }
  }
  return findings
}

function isToken(prefix: string, body: string): boolean {
  const pieces = body.split(/[_-]/)
  const longest = pieces.reduce((found, piece) => (piece.length > found.length ? piece : found), '')
  if (DIGEST.test(prefix) || !isRandomText(pieces.join(''))) return false
  if (CREDENTIAL.test(prefix)) return true
  if (longest.length < MIN_PIECE_LENGTH || isWordLike(longest)) return false
  return !/^[0-9a-f]+$|^[0-9A-F]+$/.test(longest) || (prefix.endsWith('_') && !NAMED_ID.test(prefix))
}
