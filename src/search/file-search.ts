import { VERSION_TABLE } from '../items/searchable-tables'
import { detectChanges } from '../storage/detect-changes'
import { FileIndex } from './index-file/file-index'
import { DamagedIndex } from './index-file/frames'
import type { IndexFolder } from './index-file/index-folder'
import type { ParsedQuery } from './rules/parse-query'
import type { Found, SearchOptions } from './search-index'

/** Why the index in files cannot answer as it is. */
export type Unfit = 'missing' | 'lagging' | 'damaged'

export interface FilesOfIndex {
  /** The path of the database. */
  database: string
  folder: IndexFolder
}

/** Answers from the files of the index alone, if they hold what the database says now. */
export function searchFiles(files: FilesOfIndex, query: ParsedQuery, options: SearchOptions): Found | Unfit {
  const state = checkFiles(files)
  if (state !== 'current') return state
  try {
    return new FileIndex(files.folder.parts(files.folder.read())).search(query, options)
  } catch (error) {
    if (error instanceof DamagedIndex) return 'damaged'
    throw error
  }
}

/** Whether the index can answer for what the database says now. Opens the files of the index, and reads only its manifest. */
export function checkFiles({ database, folder }: FilesOfIndex): Unfit | 'current' {
  try {
    const base = folder.read()
    if (base.manifest === null) return 'missing'
    folder.parts(base)
    const { position } = base.manifest
    const isBehind = position === null || detectChanges(database, position, { word: VERSION_TABLE }) !== 'nothing'
    return isBehind ? 'lagging' : 'current'
  } catch (error) {
    if (error instanceof DamagedIndex) return 'damaged'
    throw error
  }
}

/** Where the index of the database at `path` is. */
export function indexFolderOf(path: string): string {
  return `${path}.search`
}
