import type { Finding } from './finding'

const BORDERS = /-----(BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g

/** The body of a block whose end is missing: base64 in long lines, also with written `\n`, and headers of the PEM kind. */
const BODY =
  /(?:(?:\s|\\[nr])*(?:[A-Za-z0-9+/]{32,}={0,2}|(?:Proc-Type|DEK-Info|Version|Comment): [^\n]{0,100}))*(?:(?:\s|\\[nr])*[A-Za-z0-9+/]{1,31}={1,2})?/y

/** Private key blocks (PEM, OpenSSH, PGP), over several lines or paragraphs or written in one; also one that breaks off. */
export function findPrivateKeys(text: string): Finding[] {
  if (!text.includes('PRIVATE KEY')) return []
  const findings: Finding[] = []
  const borders = [...text.matchAll(BORDERS)]
  for (const [index, border] of borders.entries()) {
    const start = border.index
    if (border[1] === 'END' || start < (findings.at(-1)?.end ?? 0)) continue
    const next = borders[index + 1]
    const end = next?.[1] === 'END' ? next.index + next[0].length : endOfBody(text, start + border[0].length)
    findings.push({ start, end, kind: 'private-key' })
  }
  return findings
}

function endOfBody(text: string, from: number): number {
  BODY.lastIndex = from
  return BODY.test(text) ? Math.max(BODY.lastIndex, from) : from
}
