import { indexFolderOf } from './file-search'
import { IndexFolder } from './index-file/index-folder'
import { entityKey } from './index-file/segment-keys'
import type { EntityType } from './search-index'

export interface NamedEntity {
  id: number
  title: string
}

/**
 * The entities of a type whose IDs begin so, the highest first, out of the files of the index as they stand: what was committed
 * a moment ago may be missing. Null where there is no index. Fails where it cannot be read.
 */
export function entitiesByIdBeginning(
  database: string,
  { type, beginning, most }: { type: EntityType; beginning: string; most: number },
): NamedEntity[] | null {
  const folder = new IndexFolder(indexFolderOf(database))
  try {
    const base = folder.read()
    if (base.manifest === null) return null
    const found = folder.parts(base).flatMap(({ segment, deleted }) => {
      const start = entityKey(type, 0).slice(0, -1) + beginning
      return [...segment.keysBeginning(start)].flatMap((rest) => {
        const id = Number(beginning + rest)
        const place = segment.place(type, id)
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
