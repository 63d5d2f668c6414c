import { nameItems } from '../../items'
import type { StorageContext } from '../../storage'
import { listAvailableFeatures } from '../rules/figures'
import type { ReportItem } from '../rules/report-item'
import type { Priorities } from '../schemas'

/** The designated features, and those that can be. */
export async function describePriorities(
  ctx: StorageContext,
  items: readonly ReportItem[],
  designated: readonly number[],
): Promise<Priorities> {
  const available = listAvailableFeatures(items, designated)
  const features = new Set(available.map(({ id }) => id))
  const gone = designated.filter((id) => !features.has(id))
  const nameOf = await nameItems(ctx, gone)
  return { designated: [...designated], available, gone: gone.map((id) => ({ id, reference: nameOf(id) })) }
}
