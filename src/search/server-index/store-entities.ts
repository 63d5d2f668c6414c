import { readSearchableChanges } from '../../items'
import type { Follower, WriteTx } from '../../storage'
import { findAverages, insertForms, removeEntries, saveAverages, upsertEntries } from '../queries/entries'
import { quantizeImpact } from '../rules/bm25'
import {
  averageFieldLengths,
  computeImpacts,
  countTerms,
  extractFieldTexts,
  type FieldLengths,
  type TermCounts,
} from '../rules/count-terms'
import { createTokenStemmer, type TokenStemmer } from '../rules/stem'
import { isStopWord } from '../rules/stop-words'
import { type Entity, encodeEntityKey } from '../services/entity'
import { toEntity } from '../services/find-searchables'
import { listFilterLexemes, termLexeme, titleLineLexeme } from './lexemes'

/** Where nothing has been counted yet: as long as the fields of a tracker's items are. */
export const DEFAULT_FIELD_LENGTHS: FieldLengths = { title: 7, tags: 1.5, criteria: 20, description: 60 }

/** The first who brings so many at a time sets the averages by them. */
const MIN_ENTITIES_FOR_AVERAGES = 100

interface StoreOptions {
  termsOf: TokenStemmer
  /** ISO 8601. */
  at: string
}

/** Puts entities into the index, in the place of what it held of them. */
export async function storeEntities(
  tx: WriteTx,
  entities: readonly Entity[],
  { termsOf, at }: StoreOptions,
): Promise<void> {
  if (entities.length === 0) return
  const forms = new WordFormSet()
  const counted = entities.map((entity) => analyzeEntity(entity, termsOf, forms))
  let average = await findAverages(tx)
  if (average === null && entities.length >= MIN_ENTITIES_FOR_AVERAGES) {
    average = averageFieldLengths(counted)
    await saveAverages(tx, average, 'keep')
  }
  const entries = entities.map((entity, i) => createIndexEntry(entity, counted[i]!, average ?? DEFAULT_FIELD_LENGTHS))
  await upsertEntries(tx, entries, at)
  await insertForms(tx, forms.list())
}

/** What the index holds of an entity. */
export interface IndexEntry {
  key: number
  updatedAt: string | null
  lexemes: string[]
}

/** A form of a word, as the vocabulary has it. */
export interface WordForm {
  form: string
  written: boolean
  term: string
}

/** Of forms that stand in a vocabulary, each once. */
export class WordFormSet {
  readonly #forms = new Map<string, WordForm>()

  add(form: WordForm): void {
    this.#forms.set(`${form.written ? 1 : 0}${form.form}`, form)
  }

  /** In an order of their own, so that writers who bring the same ones do not wait for each other in a circle. */
  list(): WordForm[] {
    return [...this.#forms].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, form]) => form)
  }
}

/** The terms of an entity; the forms that they have in its texts are added to `forms`. */
export function analyzeEntity(entity: Entity, termsOf: TokenStemmer, forms: WordFormSet): TermCounts {
  return countTerms(extractFieldTexts(entity), (token) => {
    const term = termsOf(token)
    const isForm = token.kind === 'word' || token.kind === 'joined'
    if (isForm && !isStopWord(token.form)) forms.add({ form: token.form, written: token.kind === 'word', term })
    return term
  })
}

export function createIndexEntry(entity: Entity, counts: TermCounts, average: FieldLengths): IndexEntry {
  const impacts = computeImpacts(counts, average)
  const lexemes = listFilterLexemes(entity)
  for (const [term, impact] of impacts.everywhere) lexemes.push(termLexeme(term, quantizeImpact(impact), false))
  for (const [term, impact] of impacts.title) lexemes.push(termLexeme(term, quantizeImpact(impact), true))
  if (counts.titleLine !== '') lexemes.push(titleLineLexeme(counts.titleLine))
  return { key: encodeEntityKey(entity), updatedAt: entity.updatedAt, lexemes }
}

const BATCH_SIZE = 500

/** Keeps the index of a server in the same transaction as what has changed. */
export function createIndexFollower(now: () => string): Follower {
  const termsOf = createTokenStemmer()
  return async (tx) => {
    const { changed, removed } = readSearchableChanges(tx)
    if (removed.length > 0) await removeEntries(tx, removed.map(encodeEntityKey))
    for (let start = 0; start < changed.length; start += BATCH_SIZE) {
      await storeEntities(
        tx,
        changed.slice(start, start + BATCH_SIZE).map((one) => toEntity(one)),
        { termsOf, at: now() },
      )
    }
  }
}
