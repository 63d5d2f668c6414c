import type { Run } from '../finding'

/** Matches a run without whitespace. Shorter ones hold neither a token nor an encoded secret, and most words are shorter. */
const LONG_RUN = /(?<!\S)\S{12,}/g

let last: { text: string; runs: readonly Run[] } = { text: '', runs: [] }

/** Returns the long runs of a text. The result for the last text is cached, because several rules search the same one. */
export function findLongRuns(text: string): readonly Run[] {
  if (last.text !== text)
    last = { text, runs: [...text.matchAll(LONG_RUN)].map((run) => ({ start: run.index, text: run[0] })) }
  return last.runs
}
