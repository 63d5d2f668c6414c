import type { ResultOf } from '../../../catalog'
import type { PageRequest } from '../../console-page'
import { type Chosen, passes, readChosen } from './facets'
import { flatten, type ItemNode } from './item-rows'

type Hit = ResultOf<'search.fast'>['results'][number]

/** Cached items that a search and the choices of a reader find. */
export interface MatchingItems {
  /** All cached items as trees. */
  trees: ItemNode[]
  /** What the search or the saved filter finds, of which facets count. */
  found: ItemNode[]
  /** Those that pass the facets too. */
  shown: ItemNode[]
  chosen: Chosen
  query: URLSearchParams
  /** The best hits of a search, with the words around what was found. */
  hits: ReadonlyMap<number, Hit>
  hints: readonly string[]
}

/** The most that search ranks and shows with its words. */
const MAX_RANKED = 200
const MAX_FOUND = 20_000

export function queryOf({ url }: Pick<PageRequest, 'url'>): URLSearchParams {
  return new URL(url, 'http://localhost').searchParams
}

/** `q` is a search, `filter` a saved filter or view, and `f` and `is` choose among what these find. */
export async function findMatches(
  request: Pick<PageRequest, 'run' | 'url'>,
  { filter = queryOf(request).get('filter') }: { filter?: string | null } = {},
): Promise<MatchingItems> {
  const { run } = request
  const query = queryOf(request)
  const q = (query.get('q') ?? '').trim()
  const [{ features, unparented }, searched, filtered] = await Promise.all([
    run('reports.hierarchy', {}),
    q === '' ? null : search(run, q),
    filter ? run('items.select', { filter, limit: MAX_FOUND }) : null,
  ])
  const trees = [...features, ...unparented]
  const allowed = filtered === null ? null : new Set(filtered.itemIds)
  const ranks = searched?.ranks ?? null
  const found = flatten(trees).filter(({ id }) => (allowed?.has(id) ?? true) && (ranks?.has(id) ?? true))
  if (ranks !== null) found.sort((a, b) => ranks.get(a.id)! - ranks.get(b.id)! || a.id - b.id)
  const chosen = readChosen(query)
  const hints = [...(searched?.hints ?? []), ...(filtered?.hints ?? [])]
  const shown = found.filter((node) => passes(node, chosen))
  return { trees, found, shown, chosen, query, hits: searched?.hits ?? new Map(), hints }
}

/** The best hits in their order, and after them all others. */
async function search(run: PageRequest['run'], q: string) {
  const { results, total, hints = [] } = await run('search.fast', { q, type: 'devops', limit: MAX_RANKED })
  const hits = new Map(results.map((hit) => [hit.id, hit]))
  const ranks = new Map(results.map(({ id }, rank) => [id, rank]))
  if (total <= results.length) return { hits, ranks, hints }
  const { itemIds } = await run('items.select', { query: q, limit: MAX_FOUND })
  for (const id of itemIds) if (!ranks.has(id)) ranks.set(id, MAX_RANKED)
  return { hits, ranks, hints }
}
