import { type Finding, findWithin, type Run } from '../finding'
import { isRandomText, isWordLike } from './random-text'

/** The longest part between separators must have at least this length. Otherwise the text consists of words. */
const MIN_PIECE_LENGTH = 12

/**
 * Matches a prefix that names the vendor and the use of a token (`sk_live_`, `xai-`, `sk-or-v1-`, `hvs.`, `pk_12345678_`), and at
 * least 30 random characters, because a shorter text may be a name or version.
 */
const CANDIDATE =
  /(?<![A-Za-z0-9_.-])(?<prefix>(?:[A-Za-z][A-Za-z0-9]{0,9}[_.-])(?:(?:[a-z]{1,10}|[A-Z]{1,10}|[a-z]{1,5}\d{1,3}|\d{1,12})[_-]){0,3})(?<body>[A-Za-z0-9_-]{30,})/g

/** Matches names before hexadecimal characters that are not secret: digests, commits and ids. */
const NAMED_ID =
  /^(?:sha\d*|md5|blake\w*|hash|digest|checksum|etag|commit|rev|revision|git|build|release|version|img|image|layer|file|doc|obj|object|id|uid|uuid|guid|trace|span|req|request|event|msg|message|order|item|user|tmp|temp|cache|asset|chunk|main|app|bundle)[_.-]/i

/** Matches digest prefixes, such as `sha512-…` of a package. The text after them is never a secret. */
const DIGEST = /^(?:sha\d*|md5|blake\w*)[_.-]/i

/** These words identify a credential with certainty. */
const CREDENTIAL = /(?:^|[_.-])(?:sk|pk|rk|ak|pat|key|api|token|tok|secret|auth|cred|live|test|prod)[_.-]/i

/** Matches further parts of a token, such as the signature after a payload. */
const REST = /[\w+/=~-]*(?:\.[\w=-]{10,})*/y

/** Finds tokens of any vendor: a prefix that looks familiar, then 30 or more random characters. */
export function findTokenShapes(runs: readonly Run[]): Finding[] {
  return findWithin(runs, CANDIDATE, 'token', { accepts: isToken, rest: REST })
}

function isToken({ groups }: RegExpExecArray): boolean {
  const { prefix = '', body = '' } = groups ?? {}
  const pieces = body.split(/[_-]/)
  const longest = pieces.reduce((found, piece) => (piece.length > found.length ? piece : found), '')
  if (DIGEST.test(prefix) || !isRandomText(pieces.join(''))) return false
  if (CREDENTIAL.test(prefix)) return true
  if (longest.length < MIN_PIECE_LENGTH || isWordLike(longest)) return false
  return !/^[0-9a-f]+$|^[0-9A-F]+$/.test(longest) || (prefix.endsWith('_') && !NAMED_ID.test(prefix))
}
