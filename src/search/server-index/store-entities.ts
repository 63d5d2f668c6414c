import type { Searchable } from '../../items'
import { htmlToPlainText, markdownToPlainText } from '../../sanitize'
import type { WriteTx } from '../../storage'
import { findAverages, insertForms, saveAverages, upsertEntries } from '../queries/entries'
import { averageFieldLengths, type FieldLengths } from '../rules/term-impacts'
import type { TokenStemmer } from '../rules/token-stemmer'
import { type Entity, toEntity } from '../services/entity'
import { analyzeEntity, createIndexEntry, WordFormSet } from './index-entry'

/** Where nothing has been counted yet: as long as the fields of a tracker's items are. */
export const DEFAULT_FIELD_LENGTHS: FieldLengths = { title: 7, tags: 1.5, criteria: 20, description: 60 }

/** The first who brings so many at a time sets the averages by them. */
const MIN_ENTITIES_FOR_AVERAGES = 100

export interface StoreOptions {
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

export function plainEntity(searchable: Searchable): Entity {
  return toEntity(searchable, ({ format, text }) =>
    format === 'html' ? htmlToPlainText(text) : markdownToPlainText(text),
  )
}
