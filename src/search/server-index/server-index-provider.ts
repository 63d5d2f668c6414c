import { type Context, StudioError } from '../../kernel'
import type { ReadTx, StorageContext } from '../../storage'
import { hasStaleNotes, measureIndex } from '../queries/maintenance'
import { decodeEntityKey, type Entity, encodeEntityKey, TYPES } from '../services/entity'
import { findSearchables, toEntity } from '../services/find-searchables'
import type { IndexStats, SearchIndexProvider } from '../services/search-index'
import { rebuildIndex, repairStaleEntries } from './repair-index'
import { ServerIndex } from './server-index'

type Call = Context & StorageContext

/** The index in tables of a server. Changes of programs that do not update it are indexed by the next search. */
export function createServerIndexProvider({ notice }: { notice(text: string): void }): SearchIndexProvider {
  const repair = async (ctx: Call) => {
    if (!(await ctx.db.read(hasStaleNotes))) return
    try {
      const lagged = await repairStaleEntries(ctx)
      if (lagged) notice('The search index was out of date and was updated.')
    } catch (error) {
      if (!(error instanceof StudioError && error.code === 'read_only')) throw error
      notice(
        'The search index is out of date and cannot be updated, because the database is read-only. Results may be out of date.',
      )
    }
  }
  return {
    async current(ctx) {
      await repair(ctx)
      return new ServerIndex((work) => ctx.db.read(work), readEntities)
    },
    async stats(ctx) {
      await repair(ctx)
      return ctx.db.read(statsOf)
    },
    async rebuild(ctx) {
      await rebuildIndex(ctx)
      return ctx.db.read(statsOf)
    },
    close() {},
  }
}

async function readEntities(tx: ReadTx, keys: readonly number[]): Promise<Map<number, Entity>> {
  const entities = new Map<number, Entity>()
  for (const type of TYPES) {
    const ids = keys.map(decodeEntityKey).filter((entity) => entity.type === type)
    const there = await findSearchables(
      tx,
      type,
      ids.map(({ id }) => id),
    )
    for (const one of there) entities.set(encodeEntityKey(one), toEntity(one))
  }
  return entities
}

async function statsOf(tx: ReadTx): Promise<IndexStats> {
  const { counts, terms, bytes } = await measureIndex(tx)
  const entities = { devops: 0, draft: 0, folder: 0 }
  for (const { place, entities: count } of counts) entities[TYPES[place]!] = count
  const newest = counts.map((one) => one.newest ?? '').reduce((a, b) => (a > b ? a : b), '')
  return { entities, lastIndexedAt: newest === '' ? null : newest, terms, bytes, kept: 'database' }
}
