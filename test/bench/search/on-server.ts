import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { insertDraft } from '../../../src/drafts/queries'
import { upsertItemRows } from '../../../src/items/queries'
import { type Context, silentLog } from '../../../src/kernel'
import { parseQuery } from '../../../src/search/rules/parse-query'
import { createSearch } from '../../../src/search/services/create-search'
import type { SearchIndexProvider } from '../../../src/search/services/search-index'
import { type Database, openDatabase, type StorageContext } from '../../../src/storage'
import { migrations } from '../../../src/studio'
import type { TrackerItem } from '../../../src/tracker'
import { postgresPrograms, type Server, startServer } from '../../storage/postgres/server'
import { median, printFigure } from '../figures'
import { draft } from './draft'
import { madeUpItems, madeUpQueries } from './items'
import type { Text } from './minisearch'
import { asProse, type Collection, ndcg, type Query, REACHED, readCollection } from './relevance'

/** Measures the speed and relevance of searches with the index in PostgreSQL. The server waits for the disk. */
export async function printOnServer(collections: string | null, sizes: readonly number[]): Promise<void> {
  const programs = postgresPrograms()
  if (!programs) {
    console.log('  PostgreSQL: skipped, for initdb and postgres are not installed (set POSTGRES_BIN to their folder)')
    return
  }
  const server = await startServer(programs, { durable: true })
  try {
    if (collections === null) console.log('  relevance: name a folder of test collections, --collections <folder>')
    else await printRelevanceOnServer(server, collections)
    for (const size of sizes) await printSizeOnServer(server, size)
  } finally {
    await server.remove()
  }
}

async function printRelevanceOnServer(server: Server, folder: string): Promise<void> {
  for (const name of readdirSync(folder).filter((entry) => existsSync(join(folder, entry, 'qrels.tsv')))) {
    const collection = readCollection(join(folder, name))
    const office = await openOffice(server, collection.texts)
    await office.rebuild()
    const own = await meanNdcg(office, collection, collection.queries)
    printFigure({
      name: `PostgreSQL, ${name}: nDCG@10`,
      value: own,
      unit: '',
      decimals: 3,
      atLeast: REACHED[name],
    })
    if (collection.mistyped) {
      const same = new Set(collection.mistyped.map(({ id }) => id))
      const clean = collection.queries.filter(({ id }) => same.has(id))
      const loss =
        (await meanNdcg(office, collection, clean)) - (await meanNdcg(office, collection, collection.mistyped))
      printFigure({
        name: `PostgreSQL, ${name}: lost by one typo a query`,
        value: loss,
        unit: '',
        decimals: 3,
        atMost: 0.02,
      })
    }
    await office.close()
  }
}

async function meanNdcg(office: Office, { judged }: Collection, queries: readonly Query[]): Promise<number> {
  let sum = 0
  for (const { id, text } of queries) sum += ndcg(await office.search(asProse(text), 10), judged.get(id)!)
  return sum / queries.length
}

async function printSizeOnServer(server: Server, size: number): Promise<void> {
  const at = `PostgreSQL, at ${size.toLocaleString('en')}: `
  const office = await openOffice(server, madeUpItems(size))
  const cpu = process.cpuUsage()
  const seconds = (await elapsed(() => office.rebuild())) / 1_000
  const { user, system } = process.cpuUsage(cpu)
  printFigure({ name: `${at}full rebuild`, value: seconds, unit: 's' })
  printFigure({ name: `${at}of it this process at work`, value: (user + system) / 1e6, unit: 's' })
  printFigure({ name: `${at}its memory after it`, value: process.memoryUsage().rss / 1e6, unit: 'MB' })
  await server.query('vacuum analyze', office.name)
  const { bytes } = await office.indexes.stats(office.context())
  const [{ items }] = await server.query("select pg_total_relation_size('work_item') as items", office.name)
  printFigure({ name: `${at}the index ÷ the items, in bytes`, value: bytes / Number(items) })
  for (const words of [1, 3, 5]) {
    const queries = madeUpQueries(60, words).map((query) => `${query} `)
    for (const query of queries.slice(0, 10)) await office.search(query, 20)
    const times: number[] = []
    for (const query of queries) times.push(await elapsed(() => office.search(query, 20)))
    printFigure({ name: `${at}a query of words: ${words}, p50`, value: median(times), unit: 'ms' })
  }
  await printDraftOnServer(office, at)
  await office.close()
}

/** Alternates writes that update the index with writes that leave the update to the next search. */
async function printDraftOnServer(office: Office, at: string): Promise<void> {
  const plain = await openDatabase(office.address, migrations)
  const save = (db: Database, i: number) => elapsed(() => db.write((tx) => insertDraft(tx, draft(`Draft number ${i}`))))
  const [kept, left]: [number[], number[]] = [[], []]
  for (let i = 0; i < 120; i++) {
    const times = [await save(office.db, i), await save(plain, i)]
    if (i < 20) continue
    kept.push(times[0]!)
    left.push(times[1]!)
  }
  printFigure({ name: `${at}a saved draft, added by the index`, value: median(kept) - median(left), unit: 'ms' })
  printFigure({ name: `${at}the same ÷ without it`, value: median(kept) / median(left) })
  await plain.close()
}

export interface Office {
  address: string
  /** The address of its database. */
  name: string
  db: Database
  indexes: SearchIndexProvider
  context(): Context & StorageContext
  rebuild(): Promise<unknown>
  /** IDs, the best match first. */
  search(query: string, limit: number): Promise<number[]>
  close(): Promise<void>
}

const PAGE = 1_000

/** Creates a database on the server with these items, without an index. */
export async function openOffice(server: Server, texts: Iterable<Text>): Promise<Office> {
  const address = await server.createDatabase()
  const { indexes, follower } = createSearch({ database: address, inFiles: false, now: Date.now, notice() {} })
  const plain = await openDatabase(address, migrations)
  let page: Text[] = []
  const put = async () => {
    const items = page.map((text) => ({ item: itemOf(text), predecessors: [] }))
    await plain.write((tx) => upsertItemRows(tx, items, '2026-01-01T00:00:00.000Z'), { locksRows: true })
    page = []
  }
  for (const text of texts) {
    page.push(text)
    if (page.length === PAGE) await put()
  }
  if (page.length > 0) await put()
  await plain.close()
  const db = await openDatabase(address, migrations, { follower })
  const context = () => ({
    clock: { now: Date.now },
    ids: { uuid: () => 'id', secret: () => 'secret' },
    actor: { kind: 'local' as const },
    log: silentLog,
    signal: new AbortController().signal,
    progress() {},
    db,
  })
  return {
    address,
    name: new URL(address).pathname.slice(1),
    db,
    indexes,
    context,
    rebuild: () => indexes.rebuild(context()),
    async search(query, limit) {
      const index = await indexes.current(context())
      const { hits } = await index.search(parseQuery(query, null), { limit })
      return hits.map(({ id }) => id)
    },
    async close() {
      await db.close()
      indexes.close()
    },
  }
}

function itemOf({ id, title, text }: Text): TrackerItem {
  return {
    id,
    key: String(id),
    rev: 1,
    type: 'User Story',
    level: 1,
    title,
    state: 'Active',
    stateCategory: 'InProgress',
    assignedTo: null,
    areaPath: 'Warehouse\\Docks',
    iterationPath: 'Warehouse\\Sprint 1',
    tags: [],
    storyPoints: null,
    priority: null,
    parentId: null,
    attachments: [],
    predecessorIds: [],
    successorIds: [],
    relatedIds: [],
    blockedField: false,
    description: { format: 'html', text: `<p>${escaped(text)}</p>` },
    acceptanceCriteria: null,
    createdAt: null,
    changedAt: new Date(1.7e12 + id * 60_000).toISOString(),
    url: 'https://tracker.example.com/items/1',
    markdownFields: [],
    relationsFingerprint: '',
    fields: {},
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
