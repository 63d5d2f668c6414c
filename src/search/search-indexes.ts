import { setImmediate } from 'node:timers/promises'
import type { Context } from '../kernel'
import type { Database, StorageContext } from '../storage'
import { htmlToPlainText, listSearchables, markdownToPlainText, type Searchable, workspaceVersion } from '../workspace'
import { type Entity, entityOf } from './entity'
import { PlainTexts } from './plain-texts'
import type { SearchIndex } from './search-index'

/** The indexes that a process keeps. */
export interface SearchIndexes {
  /** The index of what the workspace holds now: the kept one, or a new one where the workspace has changed since. */
  current(ctx: Context & StorageContext): Promise<SearchIndex>
}

/** What an operation that searches asks for. */
export interface SearchContext {
  search: SearchIndexes
}

interface Kept {
  version: number
  index: Promise<SearchIndex>
}

export function createSearchIndexes(): SearchIndexes {
  const kept = new WeakMap<Database, Kept>()
  const plainTexts = new PlainTexts({ html: htmlToPlainText, markdown: markdownToPlainText })
  return {
    async current(ctx) {
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
    },
  }
}

const AT_ONCE = 50

async function build(searchables: Searchable[], plainTexts: PlainTexts, ctx: Context): Promise<SearchIndex> {
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
  return new MemoryIndex(await buildCorpus(entities, setImmediate))
}
