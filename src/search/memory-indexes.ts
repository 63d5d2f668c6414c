import { setImmediate } from 'node:timers/promises'
import { type Searchable, type SearchableType, workspaceVersion } from '../items'
import type { Context } from '../kernel'
import { htmlToPlainText, markdownToPlainText } from '../sanitize'
import type { Database, ReadTx, StorageContext } from '../storage'
import type { Corpus } from './corpus'
import { type Entity, entityOf } from './entity'
import { PlainTexts } from './plain-texts'
import type { SearchIndex } from './search-index'
import type { IndexStats, SearchIndexes } from './search-indexes'
import { findSearchables, listSearchableStamps } from './searchables'

interface Kept {
  version: number
  index: Promise<Built>
}

interface Built {
  corpus: Corpus
  index: SearchIndex
  builtAt: string
}

/** Indexes in memory: for databases without a file, and where the files of an index cannot be written. */
export function createMemoryIndexes(): SearchIndexes {
  const kept = new WeakMap<Database, Kept>()
  const plainTexts = new PlainTexts({ html: htmlToPlainText, markdown: markdownToPlainText })
  const built = async (ctx: Context & StorageContext): Promise<Built> => {
    const { db } = ctx
    const { version, searchables } = await db.read(async (tx) => {
      const version = await workspaceVersion(tx)
      return { version, searchables: kept.get(db)?.version === version ? [] : await listSearchables(tx) }
    })
    const known = kept.get(db)
    if (known?.version === version) return known.index
    const index = build(searchables, plainTexts, ctx)
    kept.set(db, { version, index })
    index.catch(() => kept.delete(db))
    return index
  }
  const stats = async (ctx: Context & StorageContext) => statsOf(await built(ctx))
  return {
    current: async (ctx) => (await built(ctx)).index,
    stats,
    async rebuild(ctx) {
      kept.delete(ctx.db)
      return stats(ctx)
    },
    close() {},
  }
}

async function listSearchables(tx: ReadTx): Promise<Searchable[]> {
  const ids: Record<SearchableType, number[]> = { devops: [], draft: [], folder: [] }
  for (const { type, id } of await listSearchableStamps(tx)) ids[type].push(id)
  return [
    ...(await findSearchables(tx, 'devops', ids.devops)),
    ...(await findSearchables(tx, 'draft', ids.draft)),
    ...(await findSearchables(tx, 'folder', ids.folder)),
  ]
}

const AT_ONCE = 50

async function build(searchables: Searchable[], plainTexts: PlainTexts, ctx: Context): Promise<Built> {
  const [{ buildCorpus }, { MemoryIndex }] = await Promise.all([import('./corpus'), import('./memory-index')])
  plainTexts.nextRound()
  const entities: Entity[] = []
  for (const [done, searchable] of searchables.entries()) {
    if (done % AT_ONCE === 0) {
      ctx.progress({ label: 'indexing', done, total: searchables.length })
      await setImmediate()
    }
    entities.push(entityOf(searchable, (text) => plainTexts.of(text)))
  }
  const corpus = await buildCorpus(entities, setImmediate)
  return { corpus, index: new MemoryIndex(corpus), builtAt: new Date(ctx.clock.now()).toISOString() }
}

function statsOf({ corpus, builtAt }: Built): IndexStats {
  const entities = { devops: 0, draft: 0, folder: 0 }
  for (const { type } of corpus.entities) entities[type] += 1
  return { entities, lastIndexedAt: builtAt, terms: corpus.terms, bytes: 0, kept: 'memory' }
}
