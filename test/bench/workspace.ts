import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Pool } from 'undici'
import { batchUpdate } from '../../src/items/operations/batch-update'
import { importFeature } from '../../src/items/operations/import/import-feature'
import { syncItems } from '../../src/items/operations/import/sync-items'
import { execute } from '../../src/kernel'
import type { Database } from '../../src/storage'
import { openFile } from '../../src/storage/embedded/engine/open-file'
import { migrations, openStudio } from '../../src/studio'
import { openTracker } from '../../src/tracker'
import { holdUntil } from '../sandbox/fault-presets'
import { type RequestRecord, startTestSandbox, type TestSandbox } from '../sandbox/test-sandbox'
import { printFigure, ratioInTurn } from './figures'
import { bigTree } from './workspace-tree'

const ITEMS = 10_000
const MANY_ITEMS = 50_000
const PAGE = 200
const ROUNDS = 5
const CONCURRENCY = 4
/** The minimum time of a tracker over a network for a page of this many items. */
const NETWORK_MS = 300

/**
 * Measures imports from the sandbox over HTTP. The sandbox is a separate process where time or memory is measured.
 * Memory is that of the built program: run `npm run build` first.
 */
export async function run([task, size, delayMs]: string[]): Promise<void> {
  if (task === 'serve') return serve(Number(size), Number(delayMs))
  const folder = mkdtempSync(join(tmpdir(), 'studio-bench-'))
  try {
    const asked = await countRequests(folder)
    await againstBare(folder, asked, 0)
    await againstBare(folder, asked, NETWORK_MS)
    await memory(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Counts the requests of each operation, and returns those of the first import. */
async function countRequests(folder: string): Promise<RequestRecord[]> {
  const sandbox = await startTestSandbox({ seed: bigTree(ITEMS) })
  const desk = await openDesk(join(folder, 'counted.db'), sandbox)
  try {
    const first = await counted(sandbox, () => desk.run(importFeature, { featureId: 1 }))
    check(first.answer.imported === ITEMS, 'every item was imported')
    printFigure({
      name: `requests to import a tree of ${ITEMS} items`,
      value: first.requests.length,
      unit: '',
      atMost: ITEMS / PAGE + 8,
    })
    const again = await counted(sandbox, () => desk.run(importFeature, { featureId: 1 }))
    check(again.answer.unchanged === ITEMS && again.answer.imported + again.answer.updated === 0, 'nothing was written')
    printFigure({
      name: '… and again, unchanged, no item written',
      value: again.requests.length,
      unit: '',
      atMost: ITEMS / PAGE + 4,
    })
    const itemIds = Array.from({ length: 1_000 }, (_, i) => 2_000 + i)
    const updates = { Title: 'Another title', 'Iteration Path': 'Big' }
    const updated = await counted(sandbox, () => desk.run(batchUpdate, { itemIds, updates }))
    check(updated.answer.applied === itemIds.length, 'every item was updated')
    printFigure({
      name: `requests to update ${itemIds.length} items`,
      value: updated.requests.length,
      unit: '',
      atMost: (2 * itemIds.length) / PAGE + 4,
    })
    await desk.run(syncItems, {})
    for (let id = 101; id <= 110; id += 1) await renameRemotely(sandbox, id)
    const fresh = await openDesk(join(folder, 'counted.db'), sandbox, desk.db)
    const synced = await counted(sandbox, () => fresh.run(syncItems, {}))
    await fresh.closeTracker()
    check(synced.answer.updated === 10 && synced.answer.checked === ITEMS, 'ten of all were found changed')
    printFigure({
      name: `requests to sync ${ITEMS} cached items of which 10 changed`,
      value: synced.requests.length,
      unit: '',
      atMost: 8,
    })
    return first.requests
  } finally {
    await desk.close()
    await sandbox.close()
  }
}

/** Measures an import into a database on disk against the same requests by a plain HTTP client. */
async function againstBare(folder: string, asked: readonly RequestRecord[], delayMs: number): Promise<void> {
  const served = await startServer(ITEMS, delayMs)
  let nth = 0
  const imported = async () => {
    const path = join(folder, `timed-${++nth}.db`)
    const desk = await openDesk(path, served)
    const startedAt = performance.now()
    await desk.run(importFeature, { featureId: 1 })
    const took = performance.now() - startedAt
    await desk.close()
    for (const name of readdirSync(folder)) if (name.startsWith(`timed-${nth}.db`)) rmSync(join(folder, name))
    return took
  }
  try {
    printFigure({
      name:
        delayMs === 0
          ? `import of ${ITEMS} items ÷ the same requests with bare undici, parsed`
          : `… where the tracker takes ${delayMs} ms for a page`,
      value: await ratioInTurn(ROUNDS, imported, () => downloaded(served, asked)),
      atMost: 1.3,
    })
  } finally {
    served.stop()
  }
}

/** Sends the requests before the pages sequentially, and the pages as concurrently as the adapter does. */
async function downloaded(served: Served, asked: readonly RequestRecord[]): Promise<number> {
  const origin = new URL(served.url).origin
  const pool = new Pool(origin, { connections: CONCURRENCY })
  const send = async ({ method, path, body, headers }: RequestRecord) => {
    const response = await pool.request({
      method: method as 'GET',
      path,
      headers: { accept: 'application/json', 'content-type': String(headers['content-type'] ?? 'application/json') },
      body: body === '' ? null : body,
    })
    JSON.parse(await response.body.text())
  }
  const isPage = ({ path }: RequestRecord) => path.includes('workitemsbatch')
  const startedAt = performance.now()
  for (const request of asked.filter((one) => !isPage(one))) await send(request)
  const pages = asked.filter(isPage)
  let next = 0
  const worker = async () => {
    while (next < pages.length) await send(pages[next++]!)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  const took = performance.now() - startedAt
  await pool.close()
  return took
}

/** Measures the peak memory of the built program while it imports a tree. */
async function memory(folder: string): Promise<void> {
  const served = await startServer(MANY_ITEMS, 0)
  const home = join(folder, 'home')
  const tellPeak = "process.on('exit', () => process.stderr.write('\\npeak ' + process.resourceUsage().maxRSS))"
  try {
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [
        '--import',
        `data:text/javascript,${encodeURIComponent(tellPeak)}`,
        resolve('bin/studio.js'),
        'import',
        '1',
        '--json',
      ],
      {
        env: {
          PATH: process.env['PATH'],
          STUDIO_HOME: home,
          STUDIO_TRACKER_URL: served.url,
          STUDIO_TRACKER_PROJECT: 'Big',
        },
        maxBuffer: 64 * 1024 * 1024,
      },
    )
    check(JSON.parse(stdout).imported === MANY_ITEMS, 'every item was imported')
    const peakMb = (Number(/peak (\d+)/.exec(stderr)?.[1]) * 1024) / 1e6
    const databaseMb = sizeOf(home) / 1e6
    printFigure({
      name: `peak memory while importing ${MANY_ITEMS} items into ${databaseMb.toFixed(0)} MB`,
      value: peakMb,
      unit: 'MB',
      atMost: Math.round(2.5 * databaseMb + 120),
    })
  } finally {
    served.stop()
  }
}

function sizeOf(path: string): number {
  if (!existsSync(path)) return 0
  const found = statSync(path)
  return found.isDirectory() ? readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0) : found.size
}

interface Served {
  url: string
  project: string
  stop(): void
}

/** Starts this program as a sandbox in a separate process. */
async function startServer(size: number, delayMs: number): Promise<Served> {
  const child = fork(process.argv[1]!, ['workspace', 'serve', String(size), String(delayMs)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [message] = (await once(child, 'message')) as [{ url: string; project: string }]
  return { ...message, stop: () => void child.disconnect() }
}

async function serve(size: number, delayMs: number): Promise<void> {
  const late = [{ path: /workitemsbatch/, fault: holdUntil(() => sleep(delayMs)) }]
  const sandbox = await startTestSandbox({ seed: bigTree(size), faults: delayMs > 0 ? late : [] })
  process.send!({ url: sandbox.url, project: sandbox.project })
  await once(process, 'disconnect')
  await sandbox.close()
}

async function openDesk(path: string, { url, project }: { url: string; project: string }, given?: Database) {
  const db = given ?? (await openFile(path, migrations, { compactsInProcess: true }))
  const tracker = openTracker({ url, project, token: null })
  const studio = openStudio({ env: { STUDIO_HOME: '/nowhere' }, cwd: '/', db, openTracker: async () => tracker })
  const run = (op: Parameters<typeof execute>[0], input: unknown): Promise<any> =>
    execute(op, input, studio.context({ actor: { kind: 'terminal', tenant: 'default' } }))
  return { db, run, close: () => studio.close(), closeTracker: () => tracker.close() }
}

async function counted<R>(sandbox: TestSandbox, work: () => Promise<R>) {
  sandbox.requests.length = 0
  const answer = await work()
  return { answer, requests: [...sandbox.requests] }
}

async function renameRemotely(sandbox: TestSandbox, id: number): Promise<void> {
  const response = await fetch(`${sandbox.url}/_apis/wit/workitems/${id}?api-version=7.1`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json-patch+json' },
    body: JSON.stringify([{ op: 'add', path: '/fields/System.Title', value: `Renamed ${id}` }]),
  })
  check(response.ok, 'the item was renamed')
}

function check(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(`The bench is not sound: it is not so that ${what}.`)
}
