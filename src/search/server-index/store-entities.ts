import { readSearchableChanges } from '../../items'
import type { Follower, WriteTx } from '../../storage'
import {
  findAverages,
  type IndexEntry,
  insertForms,
  removeEntries,
  saveAverages,
  upsertEntries,
  type WordForm,
} from '../queries/entries'
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

/** Typical lengths of a tracker's items, until averages have been computed. */
export const DEFAULT_FIELD_LENGTHS: FieldLengths = { title: 7, tags: 1.5, criteria: 20, description: 60 }

/** The first batch of at least this size sets the averages. */
const MIN_ENTITIES_FOR_AVERAGES = 100

interface StoreOptions {
  stemToken: TokenStemmer
  /** ISO 8601. */
  at: string
}

/** Adds entities to the index, or replaces them. */
export async function storeEntities(
  tx: WriteTx,
  entities: readonly Entity[],
  { stemToken, at }: StoreOptions,
): Promise<void> {
  if (entities.length === 0) return
  const forms = new WordFormSet()
  const counted = entities.map((entity) => analyzeEntity(entity, stemToken, forms))
  let average = await findAverages(tx)
  if (average === null && entities.length >= MIN_ENTITIES_FOR_AVERAGES) {
    average = averageFieldLengths(counted)
    await saveAverages(tx, average, 'keep')
  }
  const entries = entities.map((entity, i) => createIndexEntry(entity, counted[i]!, average ?? DEFAULT_FIELD_LENGTHS))
  await upsertEntries(tx, entries, at)
  await insertForms(tx, forms.list())
}

/** A set of forms. */
export class WordFormSet {
  readonly #forms = new Map<string, WordForm>()

  add(form: WordForm): void {
    this.#forms.set(`${form.written ? 1 : 0}${form.form}`, form)
  }

  /** Sorted, so that concurrent writers lock the rows in the same order and do not deadlock. */
  list(): WordForm[] {
    return [...this.#forms].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, form]) => form)
  }
}

/** Counts the terms of an entity, and adds their forms to `forms`. */
export function analyzeEntity(entity: Entity, stemToken: TokenStemmer, forms: WordFormSet): TermCounts {
  return countTerms(extractFieldTexts(entity), (token) => {
    const term = stemToken(token)
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

/** Updates the index of a server in the same transaction as the changes. */
export function createIndexFollower(now: () => string): Follower {
  const stemToken = createTokenStemmer()
  return async (tx) => {
    const { changed, removed } = readSearchableChanges(tx)
    if (removed.length > 0) await removeEntries(tx, removed.map(encodeEntityKey))
    for (let start = 0; start < changed.length; start += BATCH_SIZE) {
      await storeEntities(
        tx,
        changed.slice(start, start + BATCH_SIZE).map((one) => toEntity(one)),
        { stemToken, at: now() },
      )
    }
  }
}
