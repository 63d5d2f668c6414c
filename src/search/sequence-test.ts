import type { Corpus } from './corpus'
import type { Postings } from './postings'
import type { ParsedQuery } from './rules/parse-query'
import { findSequence, type Sequence } from './rules/sequence'
import { stem } from './rules/stem'
import { type Token, tokenize } from './rules/tokenize'

/** A test of documents: each phrase of the query must stand in one of a document's texts, and no excluded sequence may. */
export function sequenceTest(corpus: Corpus, query: ParsedQuery): (document: number) => boolean {
  const postings = query.inTitle ? corpus.titles : corpus.everywhere
  const sought = query.phrases.map((sequence) => ({ sequence, holding: documentsHolding(postings, sequence) }))
  const excluded = query.excluded.map((sequence) => ({ sequence, holding: documentsHolding(postings, sequence) }))
  return (document) => {
    if (!sought.every(({ holding }) => holding.has(document))) return false
    const suspects = excluded.filter(({ holding }) => holding.has(document)).map(({ sequence }) => sequence)
    if (suspects.some(isOneTerm)) return false
    if (sought.length + suspects.length === 0) return true
    const texts = textsOf(corpus, document, query.inTitle).map(tokenize)
    return (
      sought.every(({ sequence }) => standsIn(texts, sequence)) &&
      !suspects.some((sequence) => standsIn(texts, sequence))
    )
  }
}

/** The documents that hold all terms of a sequence, wherever. */
function documentsHolding(postings: Postings, sequence: Sequence): Set<number> {
  const [first, ...others] = [...new Set(sequence.forms.map(stem))].map((term) => postings.documents(term))
  return new Set([...first!].filter((document) => others.every((documents) => documents.has(document))))
}

/** To hold the term is all that it takes. */
function isOneTerm({ forms, quoted }: Sequence): boolean {
  return forms.length === 1 && !quoted
}

function textsOf({ entities }: Corpus, document: number, inTitle: boolean): string[] {
  const { title, tags, criteria, description } = entities[document]!
  return inTitle ? [title] : [title, ...tags, criteria, description]
}

function standsIn(texts: readonly Token[][], sequence: Sequence): boolean {
  return texts.some((tokens) => findSequence(tokens, sequence).length > 0)
}
