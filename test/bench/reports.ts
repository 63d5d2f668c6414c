import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listReportables } from '../../src/items'
import { insertSnapshots, upsertItemRows } from '../../src/items/queries'
import { type Context, execute, silentLog } from '../../src/kernel'
import { reportSummary } from '../../src/reports/operations/report-summary'
import type { Database, StorageContext } from '../../src/storage'
import { openFile } from '../../src/storage/embedded/engine/open-file'
import { migrations } from '../../src/studio'
import { buildFigures, buildHierarchy } from '../reports/at-once'
import { generateWorkspace } from '../reports/large-workspace'
import { fetchedItems } from './fetched-items'
import { median, printFigure, ratioInTurn } from './figures'

const ITEMS = 50_000
const ITEMS_A_COMMIT = 2_000
const ROUNDS = 9
const MB = 1024 * 1024

/** Measures the reports over 50,000 items, each with a snapshot and texts of typical length. */
export async function run([step, path]: string[]): Promise<void> {
  if (step !== undefined && path !== undefined) return tellPeak(step, path)
  const folder = mkdtempSync(join(tmpdir(), 'studio-bench-'))
  try {
    const file = join(folder, 'reports.db')
    await fill(file)
    await times(file)
    memory(file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function fill(path: string): Promise<void> {
  const db = await openFile(path, migrations, { compactsInProcess: true })
  const items = fetchedItems(generateWorkspace(ITEMS, { seed: 1, shape: 'bushy' }))
  const at = '2026-11-18T09:30:00.000Z'
  for (let start = 0; start < items.length; start += ITEMS_A_COMMIT) {
    const part = items.slice(start, start + ITEMS_A_COMMIT)
    await db.write(async (tx) => {
      await upsertItemRows(
        tx,
        part.map((item) => ({ item, predecessors: [] })),
        at,
      )
      await insertSnapshots(tx, part, at)
    })
  }
  await db.close()
}

async function times(path: string): Promise<void> {
  const db = await openFile(path, migrations)
  const items = await db.read(listReportables)
  const reading = timed(() => db.read(listReportables))
  const overReading = (count: () => unknown) =>
    ratioInTurn(
      ROUNDS,
      timed(async () => count()),
      reading,
    )
  printFigure({
    name: `totals at every one of ${ITEMS} items ÷ reading their rows`,
    value: await overReading(() => buildHierarchy(items)),
    atMost: 1.5,
  })
  printFigure({
    name: '  with groups, risks and lists: all figures of the summary',
    value: await overReading(() => buildFigures(items)),
  })
  const seconds: number[] = []
  for (let round = 0; round < 5; round++) seconds.push((await timed(() => summaryOver(db))()) / 1_000)
  printFigure({ name: '  the whole summary, from the rows to the checked answer', value: median(seconds), unit: 's' })
  await db.close()
}

function memory(path: string): void {
  const peakOf = (step: string) => {
    const peaks = Array.from({ length: 3 }, () =>
      Number(
        execFileSync(process.execPath, [process.argv[1]!, 'reports', step, path]).toString().trim().split(/\s+/).at(-1),
      ),
    )
    return median(peaks)
  }
  const [open, summary] = [peakOf('open'), peakOf('summary')]
  printFigure({
    name: 'peak memory of the summary, over that of the open database',
    value: summary - open,
    unit: 'MB',
    atMost: 200,
  })
  const size = `${(statSync(path).size / MB).toFixed(0)} MB`
  printFigure({ name: `  of the whole process, with a database of ${size} in memory`, value: summary, unit: 'MB' })
}

/** Runs in a separate process, so that its peak memory belongs to this step only. */
async function tellPeak(step: string, path: string): Promise<void> {
  const db = await openFile(path, migrations)
  if (step === 'summary') await summaryOver(db)
  else await db.read(async () => null)
  console.log((process.resourceUsage().maxRSS / 1024).toFixed(1))
  await db.close()
}

function summaryOver(db: Database) {
  const ctx: Context & StorageContext = {
    db,
    actor: { kind: 'terminal', tenant: 'default' },
    clock: { now: () => 0 },
    ids: { uuid: () => '', secret: () => '' },
    log: silentLog,
    signal: new AbortController().signal,
    progress: () => {},
  }
  return execute(reportSummary, {}, ctx)
}

function timed(work: () => Promise<unknown>): () => Promise<number> {
  return async () => {
    const startedAt = performance.now()
    await work()
    return performance.now() - startedAt
  }
}
