import { VERSION_TABLE } from '../../items/queries/searchable-tables'
import { detectChanges } from '../../storage/detect-changes'
import type { ParsedQuery } from '../rules/parse-query'
import type { SearchOptions, SearchResults } from '../services/search-index'
import { FileIndex } from './file-index'
import { DamagedIndexError } from './frame-file'
import type { IndexFolder } from './index-folder'

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
    folder.openSegments(base)
    const { position } = base.manifest
    const isBehind = position === null || detectChanges(database, position, { word: VERSION_TABLE }) !== 'nothing'
    return isBehind ? 'lagging' : 'current'
  } catch (error) {
    if (error instanceof DamagedIndexError) return 'damaged'
    throw error
  }
}

/** Where the index of the database at `path` is. */
export function indexFolderPath(path: string): string {
  return `${path}.search`
}
