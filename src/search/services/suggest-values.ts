import type { Filter } from '../rules/filters'
import { suggestValue } from '../rules/qualifier-hints'
import type { SearchIndex } from './search-index'

/** Where nothing was found: for each filter whose value nothing has, what may be meant. */
export async function suggestValues(
  filters: readonly Filter[],
  { total, index }: { total: number; index: SearchIndex },
): Promise<string[]> {
  if (total > 0) return []
  const hints: string[] = []
  for (const filter of filters) {
    if (filter.negated || filter.value === null) continue
    const found = await index.search({ ...NOTHING, filters: [filter] }, { limit: 1 })
    if (found.total === 0) hints.push(suggestValue(filter, await index.knownValues(filter.qualifier)))
  }
  return hints
}

const NOTHING = { words: [], phrases: [], excluded: [], ids: [], inTitle: false, opening: [], hints: [] }
