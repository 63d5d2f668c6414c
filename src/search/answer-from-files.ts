import { StudioError } from '../kernel/errors'
import { indexFolderOf, searchFiles } from './file-search'
import { IndexFolder } from './index-file/index-folder'
import { parseQuery } from './rules/parse-query'
import type { EntityType, SearchHit } from './search-index'

/** What the operation `search.fast` answers. */
export interface SearchAnswer {
  query: string
  total: number
  results: SearchHit[]
  hints?: string[]
}

/** The answer out of the files of the index alone; null where they do not hold it, or the query is one to be refused. */
export function answerFromFiles(
  { database, user }: { database: string; user: string | null },
  { q, limit, type }: { q: string; limit: number; type?: EntityType },
): SearchAnswer | null {
  const folder = new IndexFolder(indexFolderOf(database))
  try {
    const query = parseQuery(q, user)
    const found = searchFiles({ database, folder }, query, { limit, type })
    const mayNeedHints = typeof found !== 'string' && found.total === 0 && query.filters.length > 0
    if (typeof found === 'string' || mayNeedHints) return null
    const { hints } = query
    return { query: q, total: found.total, results: found.hits, ...(hints.length > 0 && { hints }) }
  } catch (error) {
    if (error instanceof StudioError || isOfFiles(error)) return null
    throw error
  } finally {
    folder.close()
  }
}

/** The ordinary way says what is wrong with them, or does without. */
function isOfFiles(error: unknown): boolean {
  return error instanceof Error && 'code' in error
}
