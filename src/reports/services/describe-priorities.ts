import { nameItems } from '../../items'
import type { StorageContext } from '../../storage'
import { listAvailableFeatures } from '../rules/figures'
import type { ReportItem } from '../rules/report-item'
import type { Priorities } from '../schemas'

/** The designated features, and those that can be. */
export async function describePriorities(
  { db }: StorageContext,
  items: readonly ReportItem[],
  designated: readonly number[],
): Promise<Priorities> {
  const available = listAvailableFeatures(items, designated)
  const features = new Set(available.map(({ id }) => id))
  const gone = designated.filter((id) => !features.has(id))
  // By the rows alone, because the answer is cached.
  const nameOf = await nameItems({ db }, gone)
  return { designated: [...designated], available, gone: gone.map((id) => ({ id, reference: nameOf(id) })) }
}
