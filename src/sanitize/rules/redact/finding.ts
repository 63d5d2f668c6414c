import type { Redactable } from './marks'

/** A piece of a text that must not stay: UTF-16 offsets, end exclusive. */
export interface Finding {
  start: number
  end: number
  kind: Redactable
}

/** A text to search, and which of its parts are code. */
export interface Passage {
  text: string
  isCode(offset: number): boolean
}

/**
 * Every match of `pattern`, which has the flags `g` and `d`. The piece to take out is its group `it`, else the whole match.
 * A pattern starts only where the run of characters that it begins with starts: so no run is read twice, and time stays linear.
 */
export function findAll(text: string, pattern: RegExp, kind: Redactable): Finding[] {
  return findWithin([{ start: 0, text }], pattern, kind)
}

/** The same for patterns that hold no blank, within runs alone. */
export function findWithin(runs: readonly Run[], pattern: RegExp, kind: Redactable): Finding[] {
  const findings: Finding[] = []
  for (const run of runs) {
    for (const match of run.text.matchAll(pattern)) {
      const [start, end] = match.indices?.groups?.['it'] ?? [match.index, match.index + match[0].length]
      if (end > start) findings.push({ start: run.start + start, end: run.start + end, kind })
    }
  }
  return findings
}

/** Characters of a text without a blank among them, from blank to blank. */
export interface Run {
  start: number
  text: string
}

/** The runs that have `sign` in them: so that a pattern around it need not be tried at each letter of a text. */
export function findRunsWith(text: string, sign: string): Run[] {
  const runs: Run[] = []
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) {
    let start = at
    while (start > 0 && !isBlank(text, start - 1)) start--
    while (at < text.length && !isBlank(text, at)) at++
    runs.push({ start, text: text.slice(start, at) })
  }
  return runs
}

/** The runs of at least so many characters. */
export function findLongRuns(text: string, fewest: number): Run[] {
  const runs: Run[] = []
  let start = 0
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && !isBlank(text, at)) continue
    if (at - start >= fewest) runs.push({ start, text: text.slice(start, at) })
    start = at + 1
  }
  return runs
}

function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === 32 || (code >= 9 && code <= 13) || (code > 127 && /\s/.test(text.charAt(at)))
}
