import type { StorageContext } from '../../storage'
import { findItemNames, type NameOf } from '../queries'
import type { GivenReferences } from './workspace-context'

interface NamingContext extends StorageContext {
  givenReferences?: GivenReferences
}

/** How the items are shown and typed. */
export function nameItems({ db, givenReferences }: NamingContext, ids: Iterable<number>): Promise<NameOf> {
  return db.read((tx) => findItemNames(tx, ids, givenReferences))
}

/** The entries with the references of their items. */
export async function addReferences<Entry extends { id: number }>(
  ctx: NamingContext,
  entries: readonly Entry[],
): Promise<(Entry & { reference: string })[]> {
  const nameOf = await nameItems(
    ctx,
    entries.map(({ id }) => id),
  )
  return entries.map((entry) => ({ ...entry, reference: nameOf(entry.id) }))
}
