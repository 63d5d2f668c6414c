import { matchAt } from '../../../kernel/text/match-at'
import { type Finding, findRunsWith, type Passage } from './finding'

/** A text may be encoded several times, as an address within an address. */
const MAX_ENCODINGS = 4
const ENCODED = /%(?:25)*(?:[2-7c-f][\da-f]|0[9ad])/i

/** Matches an encoded character of ASCII, or another one in UTF-8. */
const CHARACTER = /%(?:[2-7][\da-f]|0[9ad])|%[c-f][\da-f](?:%[89ab][\da-f]){1,3}/gi

/** A text with its percent-encoded characters decoded, and the range of the original for each character. */
interface Decoded {
  text: string
  starts: Uint32Array
  end: number
}

/** Finds what `find` finds once the text is decoded, at its place in the encoded text: `password%3Dhunter2`. */
export function findPercentEncoded({ text, isCode }: Passage, find: (passage: Passage) => Finding[]): Finding[] {
  if (!ENCODED.test(text)) return []
  const findings: Finding[] = []
  let decoded = joinRuns(text)
  // A secret may contain a percent sign itself, so each round is searched and not only the last one.
  for (let round = 0; round < MAX_ENCODINGS && ENCODED.test(decoded.text); round++) {
    decoded = decodeOnce(decoded)
    const { starts, end } = decoded
    const placeOf = (at: number) => starts[at] ?? end
    for (const finding of find({ text: decoded.text, isCode: (at) => isCode(placeOf(at)) }))
      findings.push({ start: placeOf(finding.start), end: placeOf(finding.end), kind: finding.kind })
  }
  return findings
}

/** Matches a run without whitespace after a label whose separator is encoded: `password%3A hunter2`. */
const NEXT_RUN = /[ \t]{1,3}\S{1,200}/y

/** Joins the encoded parts of the text, each on its own line, because the others were searched before. */
function joinRuns(text: string): Decoded {
  const runs: { start: number; end: number }[] = []
  for (const run of findRunsWith(text, '%').filter(({ text: part }) => ENCODED.test(part))) {
    const end = run.start + run.text.length
    const extended = end + (matchAt(NEXT_RUN, text, end)?.[0].length ?? 0)
    const last = runs.at(-1)
    if (last && run.start <= last.end) last.end = Math.max(extended, last.end)
    else runs.push({ start: run.start, end: extended })
  }
  const starts = new Uint32Array(runs.reduce((length, { start, end }) => length + end - start + 1, 0))
  let length = 0
  for (const { start, end } of runs) for (let at = start; at <= end; at++) starts[length++] = at
  return { text: runs.map(({ start, end }) => `${text.slice(start, end)}\n`).join(''), starts, end: text.length }
}

function decodeOnce({ text, starts, end }: Decoded): Decoded {
  const parts: string[] = []
  const places = new Uint32Array(text.length)
  let length = 0
  let from = 0
  const copy = (to: number) => {
    parts.push(text.slice(from, to))
    places.set(starts.subarray(from, to), length)
    length += to - from
  }
  for (const { index, 0: written } of text.matchAll(CHARACTER)) {
    copy(index)
    const character = decode(written)
    parts.push(character)
    for (let unit = 0; unit < character.length; unit++) places[length++] = starts[index] ?? end
    from = index + written.length
  }
  copy(text.length)
  return { text: parts.join(''), starts: places.subarray(0, length), end }
}

/** Bytes that are no UTF-8 stay as they are. */
function decode(written: string): string {
  try {
    return decodeURIComponent(written)
  } catch {
    return written
  }
}
