import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { batchUpdate } from '../../src/items/operations/batch-update'
import { importFeature } from '../../src/items/operations/import/import-feature'
import { syncItems } from '../../src/items/operations/import/sync-items'
import { execute } from '../../src/kernel'
import type { Database } from '../../src/storage'
import { openFile } from '../../src/storage/embedded/engine/open-file'
import { migrations, openStudio } from '../../src/studio'
import { openTracker } from '../../src/tracker'
import { startTestSandbox, type TestSandbox } from '../sandbox/test-sandbox'
import { printFigure } from './figures'
import { printAgainstBare, serveRecorded } from './workspace/against-bare'
import { bigTree } from './workspace-tree'

const ITEMS = 10_000
const MANY_ITEMS = 50_000
const PAGE = 200

/**
 * Measures imports from the sandbox over HTTP: `bare` only their time. The sandbox is a separate process where time or memory is measured,
 * and so is the built program: run `npm run build` first.
 */
export async function run([task, first, second]: string[]): Promise<void> {
  if (task === 'serve') return serve(Number(first))
  if (task === 'record') return serveRecorded(Number(first), Number(second))
  const folder = mkdtempSync(join(tmpdir(), 'studio-bench-'))
  try {
    if (task === 'bare') return await printAgainstBare(folder)
    await countRequests(folder)
    await printAgainstBare(folder)
    await memory(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Counts the requests of each operation, and returns those of the first import. */
async function countRequests(folder: string): Promise<void> {
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
  } finally {
    await desk.close()
    await sandbox.close()
  }
}

/** Measures the peak memory of the built program while it imports a tree. */
async function memory(folder: string): Promise<void> {
  const served = await startServer(MANY_ITEMS)
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
async function startServer(size: number): Promise<Served> {
  const child = fork(process.argv[1]!, ['workspace', 'serve', String(size)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [message] = (await once(child, 'message')) as [{ url: string; project: string }]
  return { ...message, stop: () => void child.disconnect() }
}

async function serve(size: number): Promise<void> {
  const sandbox = await startTestSandbox({ seed: bigTree(size) })
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
