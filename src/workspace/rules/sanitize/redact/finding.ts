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
  const findings: Finding[] = []
  for (const match of text.matchAll(pattern)) {
    const [start, end] = match.indices?.groups?.['it'] ?? [match.index, match.index + match[0].length]
    if (end > start) findings.push({ start, end, kind })
  }
  return findings
}
