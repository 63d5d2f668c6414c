import { VERSION_TABLE } from '../../items/queries/searchable-tables'
import { StudioError } from '../../kernel/errors'
import { detectChanges } from '../../storage/embedded/log/detect-changes'
import { isCurrentIteration } from '../rules/filters'
import { type ParsedQuery, parseQuery } from '../rules/parse-query'
import type { EntityType, SearchHit, SearchOptions, SearchResults } from '../services/search-index'
import { FileIndex } from './file-index'
import { DamagedIndexError } from './frame-file'
import { IndexFolder } from './index-folder'
import { indexFolderPath } from './index-folder-path'
import { entityKey } from './segment-format'

/** Why the index in files cannot answer as it is. */
export type IndexProblem = 'missing' | 'lagging' | 'damaged'

export interface IndexFiles {
  /** The path of the database. */
  database: string
  folder: IndexFolder
}

/** Answers from the files of the index, if they match the current database. */
export async function searchIndexFiles(
  files: IndexFiles,
  query: ParsedQuery,
  options: SearchOptions,
): Promise<SearchResults | IndexProblem> {
  const state = checkIndexFiles(files)
  if (state !== 'current') return state
  try {
    return await new FileIndex(files.folder.openSegments(files.folder.read())).search(query, options)
  } catch (error) {
    if (error instanceof DamagedIndexError) return 'damaged'
    throw error
  }
}

/** Whether the index matches the current database. Opens the files of the index, but reads only the manifest. */
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

/** Whether a lagging index belongs to this database, as far as can be seen. */
export function mayAnswerLagging({ database, folder }: IndexFiles): boolean {
  const { manifest } = folder.readIgnoringDamage()
  if (manifest === null || manifest.segments.length === 0) return false
  return manifest.position === null || detectChanges(database, manifest.position, { word: VERSION_TABLE }) !== 'unknown'
}

/** The output of the operation `search.fast`. */
interface SearchAnswer {
  query: string
  total: number
  results: SearchHit[]
  hints?: string[]
}

/** Answers from the files of the index. Null if they do not match the database, or the query is invalid. */
export async function answerFromIndexFiles(
  { database, user }: { database: string; user: string | null },
  { q, limit, type }: { q: string; limit: number; type?: EntityType },
): Promise<SearchAnswer | null> {
  const folder = new IndexFolder(indexFolderPath(database))
  try {
    // The names of fields are in the database alone.
    let mayHaveFields = false
    const query = parseQuery(q, user, () => {
      mayHaveFields = true
      return false
    })
    if (query.filters.some(isCurrentIteration) || query.fields.length > 0 || mayHaveFields) return null
    const found = await searchIndexFiles({ database, folder }, query, { limit, type })
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

/** The full program reports such errors, or searches without the files. */
function isFileError(error: unknown): boolean {
  return error instanceof Error && 'code' in error
}

interface EntityTitle {
  id: number
  reference: string | null
  title: string
}

/**
 * Finds entities of a type by the beginning of their IDs, highest first, in the files of the index as they are: recent commits may be
 * missing. Null if there is no index. Throws if it cannot be read.
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
      .map(({ id, segment, document }) => {
        const { title, reference } = segment.record(document)
        return { id, reference, title }
      })
  } finally {
    folder.close()
  }
}
