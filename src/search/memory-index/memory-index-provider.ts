import { readWorkspaceVersion, type Searchable, type SearchableType } from '../../items'
import { type Context, checkpoint } from '../../kernel'
import { htmlToPlainText, markdownToPlainText } from '../../rich-text'
import type { Database, ReadTx, StorageContext } from '../../storage'
import type { LongText } from '../../tracker'
import type { Entity } from '../services/entity'
import { findSearchables, listSearchableStamps, toEntity } from '../services/find-searchables'
import type { IndexStats, SearchIndex, SearchIndexProvider } from '../services/search-index'
import type { Corpus } from './corpus'

interface CachedIndex {
  version: number
  index: Promise<BuiltIndex>
}

interface BuiltIndex {
  corpus: Corpus
  index: SearchIndex
  builtAt: string
}

/** Indexes in memory: for databases without a file, and where the files of an index cannot be written. */
export function createMemoryIndexProvider(): SearchIndexProvider {
  const cache = new WeakMap<Database, CachedIndex>()
  const plainTexts = new PlainTextCache({ html: htmlToPlainText, markdown: markdownToPlainText })
  const getIndex = async (ctx: Context & StorageContext): Promise<BuiltIndex> => {
    const { db } = ctx
    const { version, searchables } = await db.read(async (tx) => {
      const version = await readWorkspaceVersion(tx)
      return { version, searchables: cache.get(db)?.version === version ? [] : await listSearchables(tx) }
    })
    const known = cache.get(db)
    if (known?.version === version) return known.index
    const index = build(searchables, plainTexts, ctx)
    cache.set(db, { version, index })
    index.catch(() => cache.delete(db))
    return index
  }
  const stats = async (ctx: Context & StorageContext) => statsOf(await getIndex(ctx))
  return {
    current: async (ctx) => (await getIndex(ctx)).index,
    stats,
    async rebuild(ctx) {
      cache.delete(ctx.db)
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

const ENTITIES_BETWEEN_REPORTS = 50

/** A caller who leaves does not end what others wait for. */
const pause = () => checkpoint({ signal: new AbortController().signal })

async function build(searchables: Searchable[], plainTexts: PlainTextCache, ctx: Context): Promise<BuiltIndex> {
  const [{ buildCorpus }, { MemoryIndex }] = await Promise.all([import('./corpus'), import('./memory-index')])
  plainTexts.nextRound()
  const entities: Entity[] = []
  for (const [done, searchable] of searchables.entries()) {
    if (done % ENTITIES_BETWEEN_REPORTS === 0) ctx.progress({ label: 'indexing', done, total: searchables.length })
    await pause()
    entities.push(toEntity(searchable, (text) => plainTexts.of(text)))
  }
  const corpus = await buildCorpus(entities, pause)
  return { corpus, index: new MemoryIndex(corpus), builtAt: new Date(ctx.clock.now()).toISOString() }
}

function statsOf({ corpus, builtAt }: BuiltIndex): IndexStats {
  const entities = { devops: 0, draft: 0, folder: 0 }
  for (const { type } of corpus.entities) entities[type] += 1
  return { entities, lastIndexedAt: builtAt, terms: corpus.terms, bytes: 0, kept: 'memory' }
}

/** Removes the markup of a text, by format. */
type PlainTextConverters = Record<LongText['format'], (text: string) => string>

/** Removes the markup of long texts, which is most of the work of indexing, and caches the results of the last two rounds. */
export class PlainTextCache {
  readonly #plainTextOf: PlainTextConverters
  #last = noTexts()
  #current = noTexts()

  constructor(plainTextOf: PlainTextConverters) {
    this.#plainTextOf = plainTextOf
  }

  /** Begins a new round, and drops the texts that the last two rounds did not use. */
  nextRound(): void {
    this.#last = this.#current
    this.#current = noTexts()
  }

  of({ format, text }: LongText): string {
    const known = this.#current[format].get(text) ?? this.#last[format].get(text)
    const plain = known ?? this.#plainTextOf[format](text)
    this.#current[format].set(text, plain)
    return plain
  }
}

function noTexts(): Record<LongText['format'], Map<string, string>> {
  return { html: new Map(), markdown: new Map() }
}
