import type { ParsedQuery } from '../rules/parse-query'
import { type Phrase, PhraseMatcher } from '../rules/phrase'
import type { SearchWork } from '../rules/search-work'
import { stem } from '../rules/stem'
import { tokenizeChunks } from '../rules/tokenize-chunks'
import type { Entity } from './entity'

/** Provides documents and their texts. */
interface PhraseSource {
  /** The number of documents, which are numbered from 0. */
  size: number
  /** The documents that contain a term, each once; only in titles if the query asks for them. */
  postings(term: string): ArrayLike<number> & Iterable<number>
  /** The texts of a document in which phrases are searched. */
  texts(document: number): readonly string[]
  /** Whether the document passes all other conditions of the query. */
  isCandidate(document: number): boolean
}

const FAILS = 0
const PASSES = 1
/** The words are in the document, in an order that only its texts show. */
const UNDECIDED = 2

/**
 * By document, 1 if it passes: a text must contain each phrase of the query, and no text may contain an excluded one. Each text is read at
 * most once, whatever the number of phrases.
 */
export async function findPassingDocuments(
  source: PhraseSource,
  { phrases, excluded }: Pick<ParsedQuery, 'phrases' | 'excluded'>,
  work: SearchWork,
): Promise<Uint8Array> {
  const { size } = source
  const marks = new Uint8Array(size).fill(phrases.length > 0 ? FAILS : PASSES)
  if (phrases.length > 0) for (const document of await intersect(source, phrases, work)) marks[document] = UNDECIDED
  for (const sequence of excluded.filter(isSingleTerm)) {
    for (const document of readPostings(source, stem(sequence.forms[0]!), work)) marks[document] = FAILS
    await work.checkpoint()
  }
  for (const sequence of excluded.filter((one) => !isSingleTerm(one))) {
    for (const document of await intersect(source, [sequence], work))
      if (marks[document] === PASSES) marks[document] = UNDECIDED
  }
  const filter = new PhraseFilter({ phrases, excluded })
  for (let document = 0; document < size; document++) {
    if (marks[document] !== UNDECIDED) continue
    const passes = source.isCandidate(document) && (await filter.passes(source.texts(document), work))
    marks[document] = passes ? PASSES : FAILS
  }
  return marks
}

/** Decides by texts whether they contain each phrase and none of the excluded ones of several words. */
export class PhraseFilter {
  readonly #matcher: PhraseMatcher
  readonly #wanted: number
  readonly #all: number

  constructor({ phrases, excluded }: Pick<ParsedQuery, 'phrases' | 'excluded'>) {
    const sequences = [...phrases, ...excluded.filter((one) => !isSingleTerm(one))]
    this.#matcher = new PhraseMatcher(sequences)
    this.#wanted = phrases.length
    this.#all = sequences.length
  }

  async passes(texts: readonly string[], work: SearchWork): Promise<boolean> {
    const found = new Uint8Array(this.#all)
    for (const text of texts) {
      const scan = this.#matcher.start()
      for await (const tokens of tokenizeChunks(text, work)) scan.add(tokens)
      for (let sequence = 0; sequence < this.#all; sequence++) if (scan.contains(sequence)) found[sequence] = 1
    }
    return found.every((one, sequence) => one === (sequence < this.#wanted ? 1 : 0))
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

/** The documents that contain all terms of the sequences, in any order. */
async function intersect(source: PhraseSource, sequences: readonly Phrase[], work: SearchWork): Promise<number[]> {
  const terms = [...new Set(sequences.flatMap(({ forms }) => forms.map(stem)))]
  const counts = new Uint16Array(source.size)
  let last: ArrayLike<number> = []
  for (const [position, term] of terms.entries()) {
    last = readPostings(source, term, work)
    for (let i = 0; i < last.length; i++) if (counts[last[i]!] === position) counts[last[i]!] = position + 1
    if (last.length === 0) return []
    await work.checkpoint()
  }
  return Array.from(last).filter((document) => counts[document] === terms.length)
}

function readPostings(source: PhraseSource, term: string, work: SearchWork): ArrayLike<number> & Iterable<number> {
  const documents = source.postings(term)
  work.postings += documents.length
  return documents
}

/** Whether containing the term is sufficient. */
export function isSingleTerm({ forms, quoted }: Phrase): boolean {
  return forms.length === 1 && !quoted
}
