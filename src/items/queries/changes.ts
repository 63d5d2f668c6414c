import { getEngine, type ReadTx, type WriteTx } from '../../storage'
import type { Searchable, SearchableType } from './searchables'

/** What a transaction has made of things that search can find. */
export interface SearchableChanges {
  changed: Searchable[]
  removed: Ref[]
}

interface Ref {
  type: SearchableType
  id: number
}

const changes = new WeakMap<ReadTx, Map<string, Searchable | (Ref & { gone: true })>>()

/** Each as it was noted last. Empty for the embedded engine, which tells by itself which rows have changed. */
export function readSearchableChanges(tx: ReadTx): SearchableChanges {
  const changed: SearchableChanges = { changed: [], removed: [] }
  for (const one of changes.get(tx)?.values() ?? []) {
    if ('gone' in one) changed.removed.push({ type: one.type, id: one.id })
    else changed.changed.push(one)
  }
  return changed
}

/** Notes what search finds of changed rows: on a server the search index takes them up at the end of the transaction. */
export function recordChangedSearchables(tx: WriteTx, changed: () => readonly Searchable[]): void {
  if (getEngine(tx) === 'postgres') for (const one of changed()) record(tx, one)
}

export function recordRemovedSearchable(tx: WriteTx, type: SearchableType, id: number): void {
  if (getEngine(tx) === 'postgres') record(tx, { type, id, gone: true })
}

function record(tx: WriteTx, one: Searchable | (Ref & { gone: true })): void {
  const noted = changes.get(tx) ?? new Map()
  noted.set(`${one.type}:${one.id}`, one)
  changes.set(tx, noted)
}
