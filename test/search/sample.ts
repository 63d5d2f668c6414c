import { parseQuery } from '../../src/search/rules/parse-query'
import type { Entity } from '../../src/search/services/entity'
import type { SearchOptions } from '../../src/search/services/search-index'
import { memoryIndexOf } from './file-index/segments'

/** A work item with a title. All other fields are empty by default. */
export function entity(id: number, title: string, more: Partial<Entity> = {}): Entity {
  return {
    type: 'devops',
    id,
    title,
    tags: [],
    description: '',
    criteria: '',
    itemType: 'User Story',
    level: 1,
    state: 'New',
    stateCategory: null,
    priority: null,
    assignedTo: null,
    areaPath: null,
    iterationPath: null,
    folderId: null,
    updatedAt: '2026-01-01T00:00:00.000Z',
    url: null,
    reference: null,
    ...more,
  }
}

/** A search over entities, by the text of a query. */
export async function searchOver(entities: readonly Entity[], user: string | null = null) {
  const index = memoryIndexOf(entities)
  const run = (q: string, options: Partial<SearchOptions> = {}) =>
    index.search(parseQuery(q, user), { limit: 200, ...options })
  return {
    run,
    /** IDs in the order of the results. */
    ids: async (q: string, options?: Partial<SearchOptions>) => (await run(q, options)).hits.map((hit) => hit.id),
    /** IDs in numeric order, for tests that do not depend on the rank. */
    idSet: async (q: string, options?: Partial<SearchOptions>) =>
      (await run(q, options)).hits.map((hit) => hit.id).sort((a, b) => a - b),
  }
}
