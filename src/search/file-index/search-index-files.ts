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
