import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FileIndex } from '../../../src/search/file-index/file-index'
import { IndexFolder } from '../../../src/search/file-index/index-folder'
import { DeletedDocuments, Segment } from '../../../src/search/file-index/segment'
import { SegmentBatch } from '../../../src/search/file-index/segment-batch'
import { parseQuery } from '../../../src/search/rules/parse-query'
import { createTokenStemmer } from '../../../src/search/rules/stem'
import type { Entity } from '../../../src/search/services/entity'
import type { Text } from './minisearch'

const NO_FINGERPRINT = Buffer.alloc(8)

/** A file index over texts, with IDs as results. */
export async function fileIndexOver(texts: readonly Text[]) {
  const folder = mkdtempSync(join(tmpdir(), 'studio-bench-search-'))
  const lot = new SegmentBatch(new IndexFolder(folder), createTokenStemmer())
  for (const text of texts) await lot.addEntity(entityOf(text), NO_FINGERPRINT)
  const parts = (await lot.finish()).map(({ name, facts }) => ({
    segment: new Segment(join(folder, name), facts),
    deleted: new DeletedDocuments(new Uint8Array()),
  }))
  const index = new FileIndex(parts)
  return {
    search: async (query: string, limit = 20) =>
      (await index.search(parseQuery(query, null), { limit })).hits.map(({ id }) => id),
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
    reference: null,
  }
}
