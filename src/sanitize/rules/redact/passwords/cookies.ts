import type { Finding } from '../finding'

const HEADER = /\b(?:set-)?cookie["']?\s{0,3}:\s{0,3}["']?(?=[\w.-]{1,128}=)/gi

/** Matches a name and value of a cookie header, and the separator after them. */
const PAIR = /([^\s=;,"'[\]]{1,128})=([^\s;,"'<>[\]]*)(?:;\s{0,3})?/y

/** Lists attributes that a server sets on a cookie. Their values are not secret. */
const ATTRIBUTE = /^(?:path|domain|expires|max-age|samesite|priority|version|comment)$/i

/** Shorter values, such as a language, grant no access. */
const MIN_CHARACTERS = 4

/** Finds cookie values in the headers of requests and responses. */
export function findCookies(text: string): Finding[] {
  const findings: Finding[] = []
  for (const header of text.matchAll(HEADER)) {
    PAIR.lastIndex = header.index + header[0].length
    for (let pair = PAIR.exec(text); pair; pair = PAIR.exec(text)) {
      const [, name = '', value = ''] = pair
      const start = pair.index + name.length + 1
      if (value.length >= MIN_CHARACTERS && !ATTRIBUTE.test(name))
        findings.push({ start, end: start + value.length, kind: 'token' })
    }
  }
  return findings
}
