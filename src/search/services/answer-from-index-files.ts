import { StudioError } from '../../kernel/errors'
import { IndexFolder } from '../file-index/index-folder'
import { indexFolderPath, searchIndexFiles } from '../file-index/search-index-files'
import { parseQuery } from '../rules/parse-query'
import type { EntityType, SearchHit } from './search-index'

/** What the operation `search.fast` answers. */
export interface SearchAnswer {
  query: string
  total: number
  results: SearchHit[]
  hints?: string[]
}

/** The answer out of the files of the index alone; null where they do not hold it, or the query is one to be refused. */
export function answerFromIndexFiles(
  { database, user }: { database: string; user: string | null },
  { q, limit, type }: { q: string; limit: number; type?: EntityType },
): SearchAnswer | null {
  const folder = new IndexFolder(indexFolderPath(database))
  try {
    const query = parseQuery(q, user)
    const found = searchIndexFiles({ database, folder }, query, { limit, type })
    const mayNeedHints = typeof found !== 'string' && found.total === 0 && query.filters.length > 0
    if (typeof found === 'string' || mayNeedHints) return null
    const { hints } = query
    return { query: q, total: found.total, results: found.hits, ...(hints.length > 0 && { hints }) }
  } catch (error) {
    if (error instanceof StudioError || isFileError(error)) return null
    throw error
  } finally {
    folder.close()
  }
}

/** The ordinary way says what is wrong with them, or does without. */
function isFileError(error: unknown): boolean {
  return error instanceof Error && 'code' in error
}
