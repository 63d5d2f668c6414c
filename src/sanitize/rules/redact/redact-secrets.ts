import { findSecrets } from './find-secrets'
import { type Finding, mergeOverlaps } from './finding'
import { findCredentialParameters } from './passwords/credential-parameters'
import { findPercentEncoded } from './percent-encoded'
import { isHarmless } from './tokens/harmless'

const ENCODED_SEGMENT = /(?<=[/?&=])[^/?&=\s%]*%[^/?&=\s]+/g

/** Replaces the secrets in a text of a log, also percent-encoded ones, by a mark. */
export function redactSecrets(text: string, mark: string): string {
  if (isHarmless(text)) return text
  const findings = mergeOverlaps([
    ...findIn(text, 0),
    // An encoded segment of a path or query is a text of its own.
    ...[...text.matchAll(ENCODED_SEGMENT)].flatMap(({ index, 0: segment }) => findIn(segment, index)),
  ])
  if (findings.length === 0) return text
  let from = 0
  const parts = findings.flatMap(({ start, end }) => {
    const before = text.slice(from, start)
    from = end
    return [before, mark]
  })
  return parts.join('') + text.slice(from)
}

/** Finds secrets as in prose and as in code, because a log has sentences and code that failed. */
function findIn(text: string, from: number): Finding[] {
  const prose = { text, isCode: () => false }
  return [
    ...findSecrets(prose),
    ...findSecrets({ text, isCode: () => true }),
    ...findCredentialParameters(text),
    ...findPercentEncoded(prose, (decoded) => findCredentialParameters(decoded.text)),
  ].map(({ start, end, kind }) => ({ start: from + start, end: from + end, kind }))
}
