import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Entity } from '../../../src/search/entity'
import { FileIndex } from '../../../src/search/index-file/file-index'
import { IndexFolder } from '../../../src/search/index-file/index-folder'
import { Lot } from '../../../src/search/index-file/lot'
import { Deletions } from '../../../src/search/index-file/part'
import { Segment } from '../../../src/search/index-file/segment'
import { parseQuery } from '../../../src/search/rules/parse-query'
import { termsOfTokens } from '../../../src/search/terms-of'
import type { Text } from './minisearch'

const NO_FINGERPRINT = Buffer.alloc(8)

/** An index in files over texts, with IDs as results. */
export function fileIndexOver(texts: readonly Text[]) {
  const folder = mkdtempSync(join(tmpdir(), 'studio-bench-search-'))
  const lot = new Lot(new IndexFolder(folder), termsOfTokens())
  for (const text of texts) lot.add({ entity: entityOf(text), fingerprint: NO_FINGERPRINT })
  const parts = lot.finish().map(({ name, facts }) => ({
    segment: new Segment(join(folder, name), facts),
    deleted: new Deletions(new Uint8Array()),
  }))
  const index = new FileIndex(parts)
  return {
    search: (query: string, limit = 20) => index.search(parseQuery(query, null), { limit }).hits.map(({ id }) => id),
    remove() {
      for (const { segment } of parts) segment.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function entityOf({ id, title, text }: Text): Entity {
  return {
    type: 'devops',
    id,
    title,
    tags: [],
    description: text,
    criteria: '',
    itemType: 'Bug',
    level: null,
    state: 'Active',
    stateCategory: null,
    priority: null,
    assignedTo: null,
    areaPath: 'Area',
    iterationPath: null,
    folderId: null,
    updatedAt: null,
    url: null,
  }
}
