import { getEngine, type ReadTx, type WriteTx } from '../../storage'
import type { Searchable, SearchableType } from './searchables'

/** What a transaction has made of things that search can find. */
export interface ChangedSearchables {
  kept: Searchable[]
  gone: Ref[]
}

interface Ref {
  type: SearchableType
  id: number
}

const changes = new WeakMap<ReadTx, Map<string, Searchable | (Ref & { gone: true })>>()

/** Each as it was noted last. Empty for the embedded engine, which tells by itself which rows have changed. */
export function changedSearchables(tx: ReadTx): ChangedSearchables {
  const changed: ChangedSearchables = { kept: [], gone: [] }
  for (const one of changes.get(tx)?.values() ?? []) {
    if ('gone' in one) changed.gone.push({ type: one.type, id: one.id })
    else changed.kept.push(one)
  }
  return changed
}

/** Notes what search finds of changed rows: on a server the search index takes them up at the end of the transaction. */
export function noteChanged(tx: WriteTx, changed: () => readonly Searchable[]): void {
  if (getEngine(tx) === 'postgres') for (const one of changed()) note(tx, one)
}

export function noteGone(tx: WriteTx, type: SearchableType, id: number): void {
  if (getEngine(tx) === 'postgres') note(tx, { type, id, gone: true })
}

function note(tx: WriteTx, one: Searchable | (Ref & { gone: true })): void {
  const noted = changes.get(tx) ?? new Map()
  noted.set(`${one.type}:${one.id}`, one)
  changes.set(tx, noted)
}
