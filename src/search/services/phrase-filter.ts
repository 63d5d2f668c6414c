import type { ParsedQuery } from '../rules/parse-query'
import { findPhrase, type Phrase } from '../rules/phrase'
import { stem } from '../rules/stem'
import { type Token, tokenize } from '../rules/tokenize'
import type { Entity } from './entity'

/** Where documents and their texts are had from. */
interface PhraseSource {
  /** The documents that hold a term, in their titles alone where those are asked for. */
  documents(term: string): Set<number>
  /** The texts of a document that count, each by itself. */
  texts(document: number): readonly string[]
}

/** A test of documents: each phrase of the query must stand in one of a document's texts, and no excluded sequence may. */
export function createPhraseFilter(
  source: PhraseSource,
  { phrases, excluded }: Pick<ParsedQuery, 'phrases' | 'excluded'>,
): (document: number) => boolean {
  const sought = phrases.map((sequence) => ({ sequence, holding: findDocumentsWithAllTerms(source, sequence) }))
  const banned = excluded.map((sequence) => ({ sequence, holding: findDocumentsWithAllTerms(source, sequence) }))
  return (document) => {
    if (!sought.every(({ holding }) => holding.has(document))) return false
    const suspects = banned.filter(({ holding }) => holding.has(document)).map(({ sequence }) => sequence)
    if (suspects.some(isSingleTerm)) return false
    if (sought.length + suspects.length === 0) return true
    const texts = source.texts(document).map(tokenize)
    return (
      sought.every(({ sequence }) => containsPhrase(texts, sequence)) &&
      !suspects.some((sequence) => containsPhrase(texts, sequence))
    )
  }
}

/** The texts of an entity in which a sequence may stand. */
export function phraseTextsOf(
  {
    title,
    tags,
    criteria,
    description,
    assignedTo,
  }: Pick<Entity, 'title' | 'tags' | 'criteria' | 'description' | 'assignedTo'>,
  inTitle: boolean,
): string[] {
  const people = assignedTo === null ? [] : [assignedTo.displayName]
  return inTitle ? [title] : [title, ...tags, ...people, criteria, description]
}

/** The documents that hold all terms of a sequence, wherever. */
function findDocumentsWithAllTerms(source: PhraseSource, sequence: Phrase): Set<number> {
  const [first, ...others] = [...new Set(sequence.forms.map(stem))].map((term) => source.documents(term))
  return new Set([...first!].filter((document) => others.every((documents) => documents.has(document))))
}

/** To hold the term is all that it takes. */
export function isSingleTerm({ forms, quoted }: Phrase): boolean {
  return forms.length === 1 && !quoted
}

export function containsPhrase(texts: readonly Token[][], sequence: Phrase): boolean {
  return texts.some((tokens) => findPhrase(tokens, sequence).length > 0)
}
