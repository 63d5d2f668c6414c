import { stem } from './stem'
import { STOP_WORDS } from './stop-words'

const STOP_TERMS = new Set([...STOP_WORDS].map(stem))

/** True for what a stop word is counted as. */
export function isStopTerm(term: string): boolean {
  return STOP_TERMS.has(term)
}
