import { nameItems } from '../../items'
import { type Context, runInTurns } from '../../kernel'
import type { StorageContext } from '../../storage'
import { listAvailableFeatures } from '../rules/available-features'
import type { ReportItem } from '../rules/report-item'
import type { Priorities } from '../schemas'

/** The designated features, and those that can be. */
export async function describePriorities(
  { db, signal }: Context & StorageContext,
  items: readonly ReportItem[],
  designated: readonly number[],
): Promise<Priorities> {
  const available = await runInTurns(listAvailableFeatures(items, designated), signal)
  const features = new Set(available.map(({ id }) => id))
  const gone = designated.filter((id) => !features.has(id))
  // By the rows alone, because the answer is cached.
  const nameOf = await nameItems({ db }, gone)
  return { designated: [...designated], available, gone: gone.map((id) => ({ id, reference: nameOf(id) })) }
}
