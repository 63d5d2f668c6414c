import type { ParsedQuery } from '../rules/parse-query'
import { findPhrase, type Phrase } from '../rules/phrase'
import { stem } from '../rules/stem'
import { type Token, tokenize } from '../rules/tokenize'
import type { Entity } from './entity'

/** Provides documents and their texts. */
interface PhraseSource {
  /** The documents that contain a term; only in titles if the query asks for them. */
  documents(term: string): Set<number>
  /** The texts of a document in which phrases are searched. */
  texts(document: number): readonly string[]
}

/** Returns a test of documents: a text must contain each phrase of the query, and no text may contain an excluded one. */
export function createPhraseFilter(
  source: PhraseSource,
  { phrases, excluded }: Pick<ParsedQuery, 'phrases' | 'excluded'>,
): (document: number) => boolean {
  const required = phrases.map((sequence) => ({ sequence, holding: findDocumentsWithAllTerms(source, sequence) }))
  const banned = excluded.map((sequence) => ({ sequence, holding: findDocumentsWithAllTerms(source, sequence) }))
  return (document) => {
    if (!required.every(({ holding }) => holding.has(document))) return false
    const suspects = banned.filter(({ holding }) => holding.has(document)).map(({ sequence }) => sequence)
    if (suspects.some(isSingleTerm)) return false
    if (required.length + suspects.length === 0) return true
    const texts = source.texts(document).map(tokenize)
    return (
      required.every(({ sequence }) => containsPhrase(texts, sequence)) &&
      !suspects.some((sequence) => containsPhrase(texts, sequence))
    )
  }
}

/** The texts of an entity in which phrases are searched. */
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

/** The documents that contain all terms of a sequence, in any order. */
function findDocumentsWithAllTerms(source: PhraseSource, sequence: Phrase): Set<number> {
  const [first, ...others] = [...new Set(sequence.forms.map(stem))].map((term) => source.documents(term))
  return new Set([...first!].filter((document) => others.every((documents) => documents.has(document))))
}

/** Whether containing the term is sufficient. */
export function isSingleTerm({ forms, quoted }: Phrase): boolean {
  return forms.length === 1 && !quoted
}

export function containsPhrase(texts: readonly Token[][], sequence: Phrase): boolean {
  return texts.some((tokens) => findPhrase(tokens, sequence).length > 0)
}
