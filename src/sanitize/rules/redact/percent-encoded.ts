import { type Finding, findRunsWith, type Passage } from './finding'

/** A text may be encoded several times, as an address within an address. */
const MAX_ENCODINGS = 4
const ENCODED = /%(?:25)*(?:[2-7][\da-f]|0[9ad])/i

/** A text with its percent-encoded ASCII characters decoded, and the range of the original for each character. */
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

/** Joins the encoded parts of the text, each on its own line, because the others were searched before. */
function joinRuns(text: string): Decoded {
  const runs = findRunsWith(text, '%').filter((run) => ENCODED.test(run.text))
  const starts = new Uint32Array(runs.reduce((length, run) => length + run.text.length + 1, 0))
  let length = 0
  for (const run of runs) for (let at = 0; at <= run.text.length; at++) starts[length++] = run.start + at
  return { text: runs.map((run) => `${run.text}\n`).join(''), starts, end: text.length }
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
  for (const { index, 0: written } of text.matchAll(/%(?:[2-7][\da-f]|0[9ad])/gi)) {
    copy(index)
    parts.push(String.fromCharCode(Number.parseInt(written.slice(1), 16)))
    places[length++] = starts[index] ?? end
    from = index + written.length
  }
  copy(text.length)
  return { text: parts.join(''), starts: places.subarray(0, length), end }
}
