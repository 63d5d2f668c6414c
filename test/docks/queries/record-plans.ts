import {
  CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { type Database, getEngine, tables, type WriteTx } from '../../../src/storage'
import { createTransaction } from '../../../src/storage/services/database'

/** How the engine runs a statement. */
export interface Plan {
  sql: string
  /** What it reads without an index, or through a whole index. */
  scanned: string[]
  /** Pages that the statement touched; null if the engine does not say. */
  pages: number | null
}

/** Runs the calls in a transaction that is rolled back, and returns the plan of each statement that they send. */
export async function recordPlans(db: Database, calls: (tx: WriteTx) => Promise<unknown>): Promise<Plan[]> {
  const plans: Plan[] = []
  const rollback = new Error('rolled back')
  const work = async (tx: WriteTx) => {
    plans.length = 0
    await calls(recordingTransaction(tx, plans))
    throw rollback
  }
  await db.write(work, { locksRows: true }).catch((error) => {
    if (error !== rollback) throw error
  })
  return plans
}

/** The same transaction, which explains each statement before it runs it. */
function recordingTransaction(tx: WriteTx, plans: Plan[]): WriteTx {
  const engine = getEngine(tx)
  const explain = engine === 'postgres' ? explainOnServer : explainInFile
  const run = async (sql: string, parameters: readonly unknown[]) => {
    if (/^\s*(select|insert|update|delete|with)\b/i.test(sql)) plans.push(await explain(tx, sql, parameters))
    return tables<any>(tx).executeQuery(CompiledQuery.raw(sql, [...parameters]))
  }
  const connection = { executeQuery: ({ sql, parameters }) => run(sql, parameters) } as DatabaseConnection
  class RecordingDriver extends DummyDriver {
    override acquireConnection = async () => connection
  }
  const build = () =>
    new Kysely<any>({
      dialect: {
        createDriver: () => new RecordingDriver(),
        createAdapter: () => (engine === 'postgres' ? new PostgresAdapter() : new SqliteAdapter()),
        createIntrospector: (db) => (engine === 'postgres' ? new PostgresIntrospector(db) : new SqliteIntrospector(db)),
        createQueryCompiler: () => (engine === 'postgres' ? new PostgresQueryCompiler() : new SqliteQueryCompiler()),
      },
    })
  return createTransaction(engine, {
    build,
    send: async (sql, parameters) => (await run(sql, parameters)).rows,
    sendLater: async (sql, parameters) => void (await run(sql, parameters)),
    pause: async () => {},
    ...(engine === 'sqlite' && { derived: () => new Map() }),
  })
}

interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: Node[]
}

async function explainOnServer(tx: WriteTx, sql: string, parameters: readonly unknown[]): Promise<Plan> {
  // To analyze a change would make it, and then it could not run.
  const options = /^\s*(select|with)\b/i.test(sql) ? 'analyze, buffers, timing off, format json' : 'format json'
  const explained = CompiledQuery.raw(`explain (${options}) ${sql}`, [...parameters])
  const { rows } = await tables<any>(tx).executeQuery<{ 'QUERY PLAN': [{ Plan: Node }] | string }>(explained)
  const answer = rows[0]!['QUERY PLAN']
  const [{ Plan: top }] = (typeof answer === 'string' ? JSON.parse(answer) : answer) as [{ Plan: Node }]
  const nodes = flatten(top)
  const isWholeIndex = (node: Node) => /^Index/.test(node['Node Type']) && node['Index Cond'] === undefined
  const found = nodes.filter((node) => node['Node Type'] === 'Seq Scan' || isWholeIndex(node))
  const pages = top['Shared Hit Blocks'] === undefined ? null : top['Shared Hit Blocks'] + top['Shared Read Blocks']!
  return { sql, scanned: found.map((node) => node['Relation Name'] ?? node['Index Name']!), pages }
}

const flatten = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flatten)]

async function explainInFile(tx: WriteTx, sql: string, parameters: readonly unknown[]): Promise<Plan> {
  const explained = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters])
  const { rows } = await tables<any>(tx).executeQuery<{ detail: string }>(explained)
  const scanned = rows.flatMap(({ detail }) => /^SCAN (\w+)/.exec(detail)?.[1] ?? [])
  return { sql, scanned, pages: null }
}
