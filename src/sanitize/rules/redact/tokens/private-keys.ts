import { matchAt } from '../../../../kernel/text/match-at'
import type { Finding } from '../finding'
import { NextMatch } from '../next-match'

const BORDERS = /-----(BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g

/** Matches the body of a block without an end: base64 in long lines, also with a literal `\n`, and PEM headers. */
const BODY =
  /(?:(?:\s|\\[nr])*(?:[A-Za-z0-9+/]{32,}={0,2}|(?:Proc-Type|DEK-Info|Version|Comment): [^\n]{0,100}))*(?:(?:\s|\\[nr])*[A-Za-z0-9+/]{1,31}={1,2})?/y

/**
 * Finds private keys: PEM, OpenSSH and PGP blocks and PuTTY files, on several lines or paragraphs or on one line, complete or cut
 * off.
 */
export function findPrivateKeys(text: string): Finding[] {
  return [...findPuttyKeys(text), ...findKeyBlocks(text)]
}

const PUTTY_START = /PuTTY-User-Key-File-\d: /g
/** Matches the checksum, which is the last line of a key file. */
const PUTTY_END = /Private-(?:MAC|Hash):\s{0,3}[0-9a-f]{40,64}/g
const PUTTY_BODY =
  /(?:\s*(?:[A-Za-z0-9+/]{4,}={1,2}(?!\S)|[A-Za-z0-9+/]{32,}(?!\S)|(?:Encryption|Comment|Public-Lines|Private-Lines|Key-Derivation|Argon2-\w{1,20}): [^\n]{0,200}))*(?:\s*[A-Za-z0-9+/]{4,31}={0,2}(?!\S))?/y

/** Finds the keys of PuTTY files. If the end is missing, the key extends as far as the lines look like a key. */
function findPuttyKeys(text: string): Finding[] {
  if (!text.includes('PuTTY-User-Key-File')) return []
  const ends = new NextMatch(text, PUTTY_END)
  const starts = [...text.matchAll(PUTTY_START)]
  return starts.map((border, index) => {
    const behind = border.index + border[0].length
    const next = starts[index + 1]?.index ?? text.length
    const at = ends.from(behind)
    const algorithm = /^[\w-]{1,40}/.exec(text.slice(behind, behind + 40))?.[0] ?? ''
    const end = at < next ? endOfBody(PUTTY_END, text, at) : endOfBody(PUTTY_BODY, text, behind + algorithm.length)
    return { start: border.index, end, kind: 'private-key' as const }
  })
}

function findKeyBlocks(text: string): Finding[] {
  if (!text.includes('PRIVATE KEY')) return []
  const findings: Finding[] = []
  const borders = [...text.matchAll(BORDERS)]
  for (const [index, border] of borders.entries()) {
    const start = border.index
    if (border[1] === 'END' || start < (findings.at(-1)?.end ?? 0)) continue
    const next = borders[index + 1]
    const end = next?.[1] === 'END' ? next.index + next[0].length : endOfBody(BODY, text, start + border[0].length)
    findings.push({ start, end, kind: 'private-key' })
  }
  return findings
}

/** Returns where the body that starts at an offset ends. */
function endOfBody(pattern: RegExp, text: string, from: number): number {
  return from + (matchAt(pattern, text, from)?.[0].length ?? 0)
}
