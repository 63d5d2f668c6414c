import type { Corpus } from './corpus'
import type { ParsedQuery } from './rules/parse-query'
import { findSequence, type Sequence } from './rules/sequence'
import { stem } from './rules/stem'
import { tokenize } from './rules/tokenize'

/** The documents in which a sequence of words stands: those that hold all its terms, and have them so in one of their texts. */
export function documentsWith(
  corpus: Corpus,
  sequence: Sequence,
  { inTitle }: Pick<ParsedQuery, 'inTitle'>,
): Set<number> {
  const postings = inTitle ? corpus.titles : corpus.everywhere
  let documents: Set<number> | null = null
  for (const term of new Set(sequence.forms.map(stem))) {
    const holding = new Set<number>()
    postings.each(term, (document) => {
      if (!documents || documents.has(document)) holding.add(document)
    })
    documents = holding
  }
  if (!documents) return new Set()
  if (sequence.forms.length === 1 && !sequence.quoted) return documents
  return new Set([...documents].filter((document) => isIn(corpus, document, sequence, inTitle)))
}

function isIn({ entities }: Corpus, document: number, sequence: Sequence, inTitle: boolean): boolean {
  const { title, tags, criteria, description } = entities[document]!
  const texts = inTitle ? [title] : [title, ...tags, criteria, description]
  return texts.some((text) => findSequence(tokenize(text), sequence).length > 0)
}
