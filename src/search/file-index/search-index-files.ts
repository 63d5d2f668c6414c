import { VERSION_TABLE } from '../../items/queries/searchable-tables'
import { StudioError } from '../../kernel/errors'
import { detectChanges } from '../../storage/embedded/detect-changes'
import { type ParsedQuery, parseQuery } from '../rules/parse-query'
import type { EntityType, SearchHit, SearchOptions, SearchResults } from '../services/search-index'
import { FileIndex } from './file-index'
import { DamagedIndexError } from './frame-file'
import { IndexFolder } from './index-folder'
import { entityKey } from './segment-format'

/** Why the index in files cannot answer as it is. */
export type IndexProblem = 'missing' | 'lagging' | 'damaged'

export interface IndexFiles {
  /** The path of the database. */
  database: string
  folder: IndexFolder
}

/** Answers from the files of the index alone, if they hold what the database says now. */
export function searchIndexFiles(
  files: IndexFiles,
  query: ParsedQuery,
  options: SearchOptions,
): SearchResults | IndexProblem {
  const state = checkIndexFiles(files)
  if (state !== 'current') return state
  try {
    return new FileIndex(files.folder.openSegments(files.folder.read())).search(query, options)
  } catch (error) {
    if (error instanceof DamagedIndexError) return 'damaged'
    throw error
  }
}

/** Whether the index can answer for what the database says now. Opens the files of the index, and reads only its manifest. */
export function checkIndexFiles({ database, folder }: IndexFiles): IndexProblem | 'current' {
  try {
    const base = folder.read()
    if (base.manifest === null) return 'missing'
    const { position, segments } = base.manifest
    if (position === null && segments.length === 0) return 'missing' // a writer has left it to the next search
    folder.openSegments(base)
    const isBehind = position === null || detectChanges(database, position, { word: VERSION_TABLE }) !== 'nothing'
    return isBehind ? 'lagging' : 'current'
  } catch (error) {
    if (error instanceof DamagedIndexError) return 'damaged'
    throw error
  }
}

/** Whether an index that lags is one of this database, as far as can be seen. */
export function mayAnswerLagging({ database, folder }: IndexFiles): boolean {
  const { manifest } = folder.readIgnoringDamage()
  if (manifest === null || manifest.segments.length === 0) return false
  return manifest.position === null || detectChanges(database, manifest.position, { word: VERSION_TABLE }) !== 'unknown'
}

/** Where the index of the database at `path` is. */
export function indexFolderPath(path: string): string {
  return `${path}.search`
}

/** What the operation `search.fast` answers. */
interface SearchAnswer {
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

interface EntityTitle {
  id: number
  title: string
}

/**
 * The entities of a type whose IDs begin so, the highest first, out of the files of the index as they stand: what was committed
 * a moment ago may be missing. Null where there is no index. Fails where it cannot be read.
 */
export function findEntitiesByIdPrefix(
  database: string,
  { type, beginning, most }: { type: EntityType; beginning: string; most: number },
): EntityTitle[] | null {
  const folder = new IndexFolder(indexFolderPath(database))
  try {
    const base = folder.read()
    if (base.manifest === null) return null
    const found = folder.openSegments(base).flatMap(({ segment, deleted }) => {
      const start = entityKey(type, 0).slice(0, -1) + beginning
      return [...segment.keysWithPrefix(start)].flatMap((rest) => {
        const id = Number(beginning + rest)
        const place = segment.locate(type, id)
        return place === null || deleted.has(place.document) ? [] : [{ id, segment, document: place.document }]
      })
    })
    return found
      .sort((a, b) => b.id - a.id)
      .slice(0, most)
      .map(({ id, segment, document }) => ({ id, title: segment.record(document).title }))
  } finally {
    folder.close()
  }
}
