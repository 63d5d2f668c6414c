import { existsSync } from 'node:fs'
import { hint, suggest } from '../../kernel'
import { pluralize } from '../../kernel/text/text'
import { type Finding, isPostgresAddress, ok, warning } from '../../storage'
import { IndexFolder } from '../file-index/index-folder'
import { indexFolderPath } from '../file-index/index-folder-path'
import { checkIndexFiles } from '../file-index/search-index-files'

/** The finding of `studio doctor` about the search index. Changes nothing: the next search updates or repairs the index. */
export function inspectIndex({ database, inFiles }: { database: string | null; inFiles: boolean }): Finding {
  const about = 'search'
  if (database !== null && isPostgresAddress(database))
    return ok(about, 'The index is stored in the database and updated by every write.')
  if (database === null || !inFiles)
    return ok(about, 'The index is in memory; the first search of a process builds it.')
  if (!existsSync(database)) return ok(about, 'There is no index yet. The first write creates it.')
  const folder = new IndexFolder(indexFolderPath(database))
  try {
    const found = checkIndexFiles({ database, folder })
    if (found === 'missing') return ok(about, 'There is no index yet. The first search creates it.')
    if (found === 'lagging') return ok(about, 'The index is out of date. The next search updates it.')
    if (found === 'damaged') return warning(about, 'The index is damaged.', hint`${suggest('search.reindex')}`)
    const { devops, draft, folder: folders } = folder.read().manifest!.entities
    const held = [pluralize(devops, 'work item'), pluralize(draft, 'draft'), pluralize(folders, 'folder')].join(', ')
    return ok(about, `The index matches the database: ${held}.`)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return warning(about, `The index cannot be read: ${error.message}.`, hint`${suggest('search.reindex')}`)
  } finally {
    folder.close()
  }
}
