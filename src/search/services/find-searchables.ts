import { findSearchableDrafts, findSearchableFolders, listDraftStamps } from '../../drafts'
import {
  findSearchableItems,
  listItemStamps,
  type Searchable,
  type SearchableStamp,
  type SearchableType,
} from '../../items'
import { htmlToPlainText, markdownToPlainText } from '../../sanitize'
import type { ReadTx } from '../../storage'
import type { LongText } from '../../tracker'
import type { Entity } from './entity'

const readers = { devops: findSearchableItems, draft: findSearchableDrafts, folder: findSearchableFolders }

/** An engine takes only so many parameters in one statement. */
const IDS_PER_STATEMENT = 500

/** Everything that search can find, as stamps. */
export async function listSearchableStamps(tx: ReadTx): Promise<SearchableStamp[]> {
  return [...(await listItemStamps(tx)), ...(await listDraftStamps(tx))]
}

/** The searchables of a type among `ids` that exist, in no order. */
export async function findSearchables(tx: ReadTx, type: SearchableType, ids: readonly number[]): Promise<Searchable[]> {
  const found: Searchable[] = []
  for (let start = 0; start < ids.length; start += IDS_PER_STATEMENT)
    found.push(...(await readers[type](tx, ids.slice(start, start + IDS_PER_STATEMENT))))
  return found
}

/** @param plainTextOf takes the markup out of a text. */
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
