import { stem } from './rules/stem'
import type { Token } from './rules/tokenize'

/** The term that a token is counted as. */
export type TermsOf = (token: Token) => string

const MOST_KNOWN_FORMS = 500_000

/** Stems, and remembers what it has stemmed: texts say the same words over and over. */
export function termsOfTokens(): TermsOf {
  const terms = new Map<string, string>()
  return ({ form, kind }) => {
    if (kind === 'sign' || kind === 'pair') return form
    const known = terms.get(form)
    if (known !== undefined) return known
    const term = stem(form)
    if (terms.size >= MOST_KNOWN_FORMS) terms.clear()
    terms.set(form, term)
    return term
  }
}
