import { changedSince } from '../storage/changed-since'
import { VERSION_TABLE } from '../workspace/searchable-tables'
import { FileIndex } from './index-file/file-index'
import { DamagedIndex } from './index-file/frames'
import type { IndexFolder } from './index-file/index-folder'
import type { ParsedQuery } from './rules/parse-query'
import type { Found, SearchOptions } from './search-index'

/** Why the index in files cannot answer as it is. */
export type Unfit = 'missing' | 'lagging' | 'damaged'

/** Answers from the files of the index alone, if they hold what the database at `path` says now. */
export function searchFiles(
  { database, folder }: { database: string; folder: IndexFolder },
  query: ParsedQuery,
  options: SearchOptions,
): Found | Unfit {
  try {
    const base = folder.read()
    if (base.manifest === null) return 'missing'
    const { position } = base.manifest
    if (!position || changedSince(database, position, { word: VERSION_TABLE }) !== 'nothing') return 'lagging'
    return new FileIndex(folder.parts(base)).search(query, options)
  } catch (error) {
    if (error instanceof DamagedIndex) return 'damaged'
    throw error
  }
}

/** Where the index of the database at `path` is. */
export function indexFolderOf(path: string): string {
  return `${path}.search`
}
