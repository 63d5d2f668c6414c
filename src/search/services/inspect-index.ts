import { existsSync } from 'node:fs'
import { type Finding, isPostgresAddress, ok, warning } from '../../storage'
import { IndexFolder } from '../file-index/index-folder'
import { checkIndexFiles, indexFolderPath } from '../file-index/search-index-files'

/** What `studio doctor` says of the search index. It is read where it stands, and not mended: the next search does that by itself. */
export function inspectIndex({ database, inFiles }: { database: string | null; inFiles: boolean }): Finding {
  const about = 'search'
  if (database !== null && isPostgresAddress(database))
    return ok(about, 'The index is kept in the database, with every write.')
  if (database === null || !inFiles)
    return ok(about, 'The index is kept in memory, and made by the first search of a process.')
  if (!existsSync(database)) return ok(about, 'There is no index yet: the first write makes it.')
  const folder = new IndexFolder(indexFolderPath(database))
  try {
    const found = checkIndexFiles({ database, folder })
    if (found === 'missing') return ok(about, 'There is no index yet: the first search makes it.')
    if (found === 'lagging')
      return ok(about, 'The index lags behind the database: the next search brings it up to date.')
    if (found === 'damaged') return warning(about, 'The index is damaged.', 'studio index rebuild')
    const { devops, draft, folder: folders } = folder.read().manifest!.entities
    const held = [count(devops, 'work item'), count(draft, 'draft'), count(folders, 'folder')].join(', ')
    return ok(about, `The index holds what the database does: ${held}.`)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return warning(about, `The index cannot be read: ${error.message}.`, 'studio index rebuild')
  } finally {
    folder.close()
  }
}

function count(number: number, one: string): string {
  return `${number} ${number === 1 ? one : `${one}s`}`
}
