import { percent } from '../wording'
import { spokenValue, WORD_BEGINS, WORD_ENDS } from './spoken-numbers'

const parts = new Map([
  ['third', 3],
  ['quarter', 4],
  ['fourth', 4],
  ['fifth', 5],
  ['sixth', 6],
  ['seventh', 7],
  ['eighth', 8],
  ['ninth', 9],
  ['tenth', 10],
])
const part = [...parts.keys()].join('|')

/** "The second half" is a time and "a third feature" a place in a row: neither says how much. */
const half = `(?<!(?:first|second|former|latter|other|last|next)\\s)${WORD_BEGINS}half(?=\\s+(?:of|the|its|all|are|is|were|was|done)${WORD_ENDS})`
const few = `${WORD_BEGINS}(?:a|one|two|three|four|five|six|seven|eight|nine)[ -](?:${part})(?:s${WORD_ENDS}|(?=\\s+of${WORD_ENDS}))`

/** `half of`, `two thirds`, `a quarter of`, `¾`; as the source of a regular expression. */
export const FRACTION = `${half}|${few}|[¼½¾⅐-⅞]`

/** In percent, as it would be written: 67 for two thirds. */
export function fractionValue(text: string): number {
  const [count, whole] = countAndWhole(text.toLowerCase())
  return Number.parseInt(percent(count / whole), 10)
}

function countAndWhole(text: string): [number, number] {
  if (text === 'half') return [1, 2]
  const [count = '', name = ''] = text.split(/[ -]/)
  if (name !== '') return [spokenValue(count) || 1, parts.get(name.replace(/s$/, ''))!]
  const [above, below] = text.normalize('NFKC').split('\u2044')
  return [Number(above), Number(below)]
}
