import type { StorageContext } from '../../storage'
import { findItemNames, type NameOf } from '../queries'

/** How the items are shown and typed. */
export function nameItems({ db }: StorageContext, ids: Iterable<number>): Promise<NameOf> {
  return db.read((tx) => findItemNames(tx, ids))
}

/** The entries with what people call their items. */
export async function addReferences<Entry extends { id: number }>(
  ctx: StorageContext,
  entries: readonly Entry[],
): Promise<(Entry & { reference: string })[]> {
  const nameOf = await nameItems(
    ctx,
    entries.map(({ id }) => id),
  )
  return entries.map((entry) => ({ ...entry, reference: nameOf(entry.id) }))
}
