import type { Searchable } from '../../items'
import { htmlToPlainText, markdownToPlainText } from '../../sanitize'
import type { WriteTx } from '../../storage'
import { type Entity, entityOf } from '../entity'
import { averageLengths, type Lengths } from '../impacts'
import { findAverages, putEntries, putForms, saveAverages } from '../queries/entries'
import type { TermsOf } from '../terms-of'
import { analyse, entryOf, Forms } from './entry'

/** Where nothing has been counted yet: as long as the fields of a tracker's items are. */
export const USUAL: Lengths = { title: 7, tags: 1.5, criteria: 20, description: 60 }

/** The first who brings so many at a time sets the averages by them. */
const ENOUGH_FOR_AVERAGES = 100

export interface Keeping {
  termsOf: TermsOf
  /** ISO 8601. */
  at: string
}

/** Puts entities into the index, in the place of what it held of them. */
export async function keepEntities(tx: WriteTx, entities: readonly Entity[], { termsOf, at }: Keeping): Promise<void> {
  if (entities.length === 0) return
  const forms = new Forms()
  const counted = entities.map((entity) => analyse(entity, termsOf, forms))
  let average = await findAverages(tx)
  if (average === null && entities.length >= ENOUGH_FOR_AVERAGES) {
    average = averageLengths(counted)
    await saveAverages(tx, average, 'keep')
  }
  const entries = entities.map((entity, i) => entryOf(entity, counted[i]!, average ?? USUAL))
  await putEntries(tx, entries, at)
  await putForms(tx, forms.list())
}

export function plainEntity(searchable: Searchable): Entity {
  return entityOf(searchable, ({ format, text }) =>
    format === 'html' ? htmlToPlainText(text) : markdownToPlainText(text),
  )
}
