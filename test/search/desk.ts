import { onTestFinished } from 'vitest'
import { insertDraft } from '../../src/drafts/queries'
import { EMPTY_CONTENT } from '../../src/drafts/rules/draft-content'
import { type Context, type Progress, silentLog } from '../../src/kernel'
import { IndexFolder } from '../../src/search/file-index/index-folder'
import { searchIndexFiles } from '../../src/search/file-index/search-index-files'
import { parseQuery } from '../../src/search/rules/parse-query'
import { createSearch } from '../../src/search/services/create-search'
import type { SearchIndexProvider } from '../../src/search/services/search-index'
import { type Database, openDatabase, openMemoryDatabase, type StorageContext } from '../../src/storage'
import type { WriteOptions } from '../../src/storage/services/database'
import { migrations } from '../../src/studio'

/** A database and its search service, as in one process. */
export interface Desk {
  path: string
  db: Database
  search: SearchIndexProvider
  notices: string[]
  steps: Progress[]
  context(): Context & StorageContext
  find(q: string): Promise<{ total: number; ids: number[] }>
  close(): Promise<void>
}

/** Opens the database at `path` or at an address, or one in memory. It is closed at the end of the test. */
export async function openDesk(path: string | null, { inFiles = true } = {}): Promise<Desk> {
  const [notices, steps]: [string[], Progress[]] = [[], []]
  const { indexes, observer, follower } = createSearch({
    database: path,
    inFiles,
    now: () => Date.parse(AT),
    notice: (text) => notices.push(text),
  })
  const db =
    path === null ? await openMemoryDatabase(migrations) : await openDatabase(path, migrations, { observer, follower })
  let closed = false
  const desk: Desk = {
    path: path ?? '',
    db,
    search: indexes,
    notices,
    steps,
    context: () => ({
      clock: { now: () => Date.parse(AT) },
      ids: { uuid: () => 'id', secret: () => 'secret' },
      actor: { kind: 'local' },
      log: silentLog,
      signal: new AbortController().signal,
      progress: (step) => steps.push(step),
      db,
    }),
    async find(q) {
      const index = await indexes.current(desk.context())
      const { total, hits } = await index.search(parseQuery(q, null), { limit: 200 })
      return { total, ids: hits.map(({ id }) => id) }
    },
    async close() {
      if (closed) return
      closed = true
      await db.close()
      indexes.close()
    },
  }
  onTestFinished(() => desk.close())
  return desk
}

export const AT = '2026-01-01T00:00:00.000Z'

export function saveDraft(db: Database, title: string, description: string | null = null, options: WriteOptions = {}) {
  return db.write((tx) => insertDraft(tx, draftNamed(title, description)), options)
}

export function draftNamed(title: string, description: string | null = null): Parameters<typeof insertDraft>[1] {
  return {
    ...EMPTY_CONTENT,
    title,
    description,
    sourceItemId: null,
    sourceRev: null,
    createdAt: AT,
    updatedAt: AT,
  }
}

/** What a process finds that does not open the database: titles in alphabetical order, or why it cannot answer. */
export async function findInFiles(path: string, q: string): Promise<string[] | string> {
  const folder = new IndexFolder(`${path}.search`)
  try {
    const found = await searchIndexFiles({ database: path, folder }, parseQuery(q, null), { limit: 200 })
    return typeof found === 'string' ? found : found.hits.map(({ title }) => title).sort()
  } finally {
    folder.close()
  }
}
