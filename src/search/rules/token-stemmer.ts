import { stem } from './stem'
import type { Token } from './tokenize'

/** The term that a token is counted as. */
export type TokenStemmer = (token: Token) => string

const MAX_CACHED_FORMS = 500_000

/** Stems, and remembers what it has stemmed: texts say the same words over and over. */
export function createTokenStemmer(): TokenStemmer {
  const terms = new Map<string, string>()
  return ({ form, kind }) => {
    if (kind === 'sign' || kind === 'pair') return form
    const known = terms.get(form)
    if (known !== undefined) return known
    const term = stem(form)
    if (terms.size >= MAX_CACHED_FORMS) terms.clear()
    terms.set(form, term)
    return term
  }
}
