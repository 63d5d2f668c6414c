import { matchAt } from '../../../kernel/text/match-at'
import type { Redactable } from './marks'

/** A range of the text to remove, in UTF-16 offsets. The end is exclusive. */
export interface Finding {
  start: number
  end: number
  kind: Redactable
}

/** A text to search. `isCode` reports which parts of it are code. */
export interface Passage {
  text: string
  isCode(offset: number): boolean
}

/**
 * Returns every match of `pattern`, which must have the flags `g` and `d`. The range to remove is the group `it` if it exists,
 * otherwise the whole match. A pattern must start only where the run of characters that it begins with starts. Then no run is read
 * twice and time stays linear.
 */
export function findAll(text: string, pattern: RegExp, kind: Redactable, options?: MatchOptions): Finding[] {
  return findWithin([{ start: 0, text }], pattern, kind, options)
}

/** Narrows or extends the matches of a pattern. */
interface MatchOptions {
  /** Decides by more than the pattern whether a match is a finding. */
  accepts?(match: RegExpExecArray): boolean
  /** A sticky pattern of what also belongs to a finding if it follows directly. */
  rest?: RegExp
}

/** Does the same as `findAll` for patterns without whitespace, and searches only the given runs. */
export function findWithin(
  runs: readonly Run[],
  pattern: RegExp,
  kind: Redactable,
  { accepts = () => true, rest }: MatchOptions = {},
): Finding[] {
  const findings: Finding[] = []
  for (const run of runs) {
    for (const match of run.text.matchAll(pattern)) {
      const [start, end] = match.indices?.groups?.['it'] ?? [match.index, match.index + match[0].length]
      if (end === start || !accepts(match)) continue
      const more = rest ? (matchAt(rest, run.text, end)?.[0].length ?? 0) : 0
      findings.push({ start: run.start + start, end: run.start + end + more, kind })
    }
  }
  return findings
}

/** A maximal sequence of characters without whitespace. */
export interface Run {
  start: number
  text: string
}

/** Returns the runs that contain `part`, so that a pattern around it is not tried at each letter of the text. */
export function findRunsWith(text: string, part: string): Run[] {
  const runs: Run[] = []
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    let start = at
    while (start > 0 && !isBlank(text, start - 1)) start--
    while (at < text.length && !isBlank(text, at)) at++
    runs.push({ start, text: text.slice(start, at) })
  }
  return runs
}

function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code === 32 || (code >= 9 && code <= 13) || (code > 127 && /\s/.test(text.charAt(at)))
}

/** Sorts findings and merges those that overlap. */
export function mergeOverlaps(findings: Finding[]): Finding[] {
  const result: Finding[] = []
  for (const finding of findings.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1)
    if (last && finding.start < last.end) last.end = Math.max(last.end, finding.end)
    else result.push({ ...finding })
  }
  return result
}
