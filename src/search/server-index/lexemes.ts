import { createHash } from 'node:crypto'
import { IMPACT_STEPS } from '../rules/bm25'
import { stem } from '../rules/stem'
import { STOP_WORDS } from '../rules/stop-words'

/**
 * What the engine's full text holds of an entity are lexemes of our own making, so that both engines mean the same by a word:
 *
 * | lexeme | of |
 * |---|---|
 * | `w` step term | a term anywhere, with the step of its impact; `x` for terms of stop words |
 * | `t` step term | a term of the title, likewise; `u` for terms of stop words |
 * | `l` terms, each with a space behind it | the title |
 * | `s` `y` `g` `a` `r` `o` `i` and `=` value | a state or progress, type or level, tag, area, iteration, priority, ID |
 * | `p` account, `d` name, `n` word of a name, each with `=` before it | a person |
 * | the same with `!` | that there is none |
 *
 * The step stands before the term, so that one lookup finds all terms that begin alike.
 */
export function termLexeme(term: string, step: number, inTitle: boolean): string {
  return lexeme(classOf(term, inTitle) + stepSign(step), term)
}

/** Where all terms stand that begin so and are not those of stop words. */
export function prefixLexeme(beginning: string, step: number, inTitle: boolean): string {
  return (inTitle ? 't' : 'w') + stepSign(step) + beginning
}

/** A query for what holds the term with whatever impact. */
export function buildTermQuery(term: string, inTitle: boolean): string {
  return anyOf(Array.from({ length: IMPACT_STEPS }, (_, step) => termLexeme(term, step, inTitle)))
}

/** @param line a title's terms, or those that it begins with. */
export function titleLineLexeme(line: string): string {
  return `l${line.slice(0, LONGEST_TITLE_LINE)}`
}

function classOf(term: string, inTitle: boolean): string {
  if (isStopTerm(term)) return inTitle ? 'u' : 'x'
  return inTitle ? 't' : 'w'
}

function stepSign(step: number): string {
  return String.fromCharCode(48 + step)
}

/** In UTF-16 units; a title that is longer is known by its beginning. */
const LONGEST_TITLE_LINE = 400
/** The engine takes lexemes of up to 2,046 bytes. */
const LONGEST_VALUE = 400

/** A value that the engine would not take, or that would be torn apart on the way there, goes by its checksum. */
export function lexeme(kind: string, value: string): string {
  const fits = value.length <= LONGEST_VALUE && !HAS_CONTROL.test(value)
  return kind + (fits ? value : `#${createHash('sha1').update(value).digest('hex')}`)
}

const HAS_CONTROL = /\p{Cc}/u

/** Terms of a `tsquery`. */
export function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

export function anyOf(lexemes: readonly string[]): string {
  return lexemes.map(quoted).join('|')
}

const STOP_TERMS = new Set([...STOP_WORDS].map(stem))

/** True for what a stop word is counted as. */
export function isStopTerm(term: string): boolean {
  return STOP_TERMS.has(term)
}
