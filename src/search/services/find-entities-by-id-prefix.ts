import { IndexFolder } from '../file-index/index-folder'
import { indexFolderPath } from '../file-index/search-index-files'
import { entityKey } from '../file-index/segment-keys'
import type { EntityType } from './search-index'

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
