import { type Context, hint, inputError, runInTurns, suggest } from '../../kernel'
import type { StorageContext } from '../../storage'
import { findDaysOff } from '../rules/forecast/days-off'
import { describeInOneSentence } from '../rules/forecast/describe'
import { buildForecast } from '../rules/forecast/forecast'
import type { FinishedItem, ForecastRequest, Work } from '../rules/forecast/request'
import { buildScopes, type Scope } from '../rules/forecast/scope'
import { buildForest, findFeatureIds } from '../rules/item-forest'
import { isDone, isOpen, REQUIREMENT_LEVEL, type ReportItem } from '../rules/report-item'
import { loadForecastItems, type ReportedItems } from './load-report'

/** What is to be forecast: at most one of the first three is given; none for the features with a priority. */
export interface ForecastSelection {
  featureIds: readonly number[]
  /** Items by ID, as a filter finds them. */
  ids?: readonly number[] | undefined
  items?: number | undefined
  tracker?: string | undefined
  /** Forecasts all open backlog items if no feature has a priority. */
  orAll?: true
}

type Loaded = Pick<ForecastRequest, 'finished' | 'work' | 'daysOff' | 'asOf' | 'isDayOver'>

/** Throws `not_found` for items that are not cached, and `invalid` if nothing is selected. */
export async function loadForecast(
  ctx: Context & StorageContext,
  selection: ForecastSelection,
  loaded?: ReportedItems,
): Promise<Loaded> {
  const { featureIds, ids, tracker } = selection
  const { items, designated, spans, iterations, asOf } = await loadForecastItems(
    ctx,
    { ids: featureIds, field: 'featureIds', tracker },
    loaded,
  )
  const forest = buildForest(items)
  const backlog = forest.inOrder.filter((item) => item.level === REQUIREMENT_LEVEL)
  const finished = backlog.filter(isDone).flatMap((item): FinishedItem[] => {
    const finishedAt = spans.get(item.id)?.completedAt ?? null
    return finishedAt === null ? [] : [{ finishedAt, points: item.storyPoints }]
  })
  const scopesOf = (roots: readonly number[]) => buildScopes(forest, { roots, features: findFeatureIds(forest), spans })
  const chooseWork = (): Work[] => {
    if (selection.items !== undefined) return [{ items: selection.items }]
    if (ids !== undefined) {
      const chosen = new Set(ids)
      return [withoutRoot(backlog.filter(({ id }) => chosen.has(id)))]
    }
    if (featureIds.length > 0) return scopesOf([...new Set(featureIds)])
    const known = new Set(items.map(({ id }) => id))
    const chosen = designated.filter((id) => known.has(id))
    if (chosen.length > 0) return scopesOf(chosen)
    if (selection.orAll) return [withoutRoot(backlog)]
    const message =
      'name features, or give a number of items; without them, the features with a priority are forecast, and there are none'
    throw inputError([{ path: 'featureIds', message }], hint`Set priorities: ${suggest('priorities.set')}`)
  }
  return { finished, work: chooseWork(), daysOff: findDaysOff(iterations), asOf, isDayOver: false }
}

/** Items that are no tree: what came to them is not known, so they do not grow. */
function withoutRoot(items: readonly ReportItem[]): Scope {
  return { root: null, open: items.filter(isOpen), growth: { ratio: 0, finished: 0, added: 0 } }
}

const BRIEFING_SEED = 1

/** The sentence of the briefing: about its features, those with a priority, or else all open work of its items. */
export async function forecastForBriefing(
  ctx: Context & StorageContext,
  featureIds: readonly number[],
  reported: ReportedItems,
): Promise<string | null> {
  const loaded = await loadForecast(ctx, { featureIds, orAll: true }, reported)
  const request = { ...loaded, by: null, focus: 1, seed: BRIEFING_SEED }
  return describeInOneSentence(await runInTurns(buildForecast(request), ctx.signal))
}
