import { findIdsByFilter, type WorkspaceContext } from '../../items'
import { hint, inputError, suggest } from '../../kernel'
import { findDaysOff } from '../rules/forecast/days-off'
import type { FinishedItem, ForecastRequest, Work } from '../rules/forecast/forecast'
import { buildScopes } from '../rules/forecast/scope'
import { buildForest, findFeatureIds } from '../rules/item-forest'
import { isDone, isOpen, REQUIREMENT_LEVEL } from '../rules/report-item'
import { loadForecastItems } from './load-report'

/** What is to be forecast: exactly one of them is given, or none for the features with a priority. */
export interface ForecastSelection {
  featureIds: readonly number[]
  filter?: string | undefined
  items?: number | undefined
  tracker?: string | undefined
}

type Loaded = Pick<ForecastRequest, 'finished' | 'work' | 'daysOff' | 'asOf'>

/** Throws `not_found` for items that are not cached, and `invalid` if nothing is selected. */
export async function loadForecast(ctx: WorkspaceContext, selection: ForecastSelection): Promise<Loaded> {
  const { featureIds, filter, tracker } = selection
  const filtered = filter === undefined ? null : new Set(await findIdsByFilter(ctx, filter))
  const { items, designated, spans, iterations, asOf } = await loadForecastItems(ctx, {
    ids: featureIds,
    field: 'featureIds',
    tracker,
  })
  const forest = buildForest(items)
  const backlog = forest.inOrder.filter((item) => item.level === REQUIREMENT_LEVEL)
  const finished = backlog.filter(isDone).flatMap((item): FinishedItem[] => {
    const finishedAt = spans.get(item.id)?.completedAt ?? null
    return finishedAt === null ? [] : [{ finishedAt, points: item.storyPoints }]
  })
  const scopesOf = (roots: readonly number[]) => buildScopes(forest, { roots, features: findFeatureIds(forest), spans })
  const chooseWork = (): Work[] => {
    if (selection.items !== undefined) return [{ items: selection.items }]
    if (filtered) {
      const open = backlog.filter((item) => filtered.has(item.id) && isOpen(item))
      return [{ root: null, open, growth: { ratio: 0, finished: 0, added: 0 } }]
    }
    if (featureIds.length > 0) return scopesOf([...new Set(featureIds)])
    const known = new Set(items.map(({ id }) => id))
    const chosen = designated.filter((id) => known.has(id))
    if (chosen.length > 0) return scopesOf(chosen)
    const message =
      'name features, or give a number of items; without them, the features with a priority are forecast, and there are none'
    throw inputError([{ path: 'featureIds', message }], hint`Set priorities: ${suggest('priorities.set')}`)
  }
  return { finished, work: chooseWork(), daysOff: findDaysOff(iterations), asOf }
}
