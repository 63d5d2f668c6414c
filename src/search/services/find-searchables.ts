import { findSearchableDrafts, findSearchableFolders, listDraftStamps } from '../../drafts'
import {
  findSearchableItems,
  listItemStamps,
  type Searchable,
  type SearchableStamp,
  type SearchableType,
} from '../../items'
import { htmlToPlainText, markdownToPlainText } from '../../rich-text'
import type { ReadTx } from '../../storage'
import type { LongText } from '../../tracker'
import type { Entity } from './entity'

const readers = { devops: findSearchableItems, draft: findSearchableDrafts, folder: findSearchableFolders }

/** Engines limit the number of parameters of a statement. */
const IDS_PER_STATEMENT = 500

/** The stamps of all searchables. */
export async function listSearchableStamps(tx: ReadTx): Promise<SearchableStamp[]> {
  return [...(await listItemStamps(tx)), ...(await listDraftStamps(tx))]
}

/** The searchables of a type with these IDs, in any order. Missing ones are skipped. */
export async function findSearchables(tx: ReadTx, type: SearchableType, ids: readonly number[]): Promise<Searchable[]> {
  const found: Searchable[] = []
  for (let start = 0; start < ids.length; start += IDS_PER_STATEMENT)
    found.push(...(await readers[type](tx, ids.slice(start, start + IDS_PER_STATEMENT))))
  return found
}

/** @param plainTextOf removes the markup of a text. */
export function toEntity(searchable: Searchable, plainTextOf = toPlainText): Entity {
  const { description, acceptanceCriteria, ...rest } = searchable
  const lineOf = (text: LongText | null) => (text === null ? '' : collapseToLine(plainTextOf(text)))
  return { ...rest, description: lineOf(description), criteria: lineOf(acceptanceCriteria) }
}

function collapseToLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}

function toPlainText({ format, text }: LongText): string {
  return format === 'html' ? htmlToPlainText(text) : markdownToPlainText(text)
}
