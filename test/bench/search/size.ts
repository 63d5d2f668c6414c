import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { insertDraft } from '../../../src/drafts/queries'
import { createSearch } from '../../../src/search/services/create-search'
import { openDatabase } from '../../../src/storage'
import { migrations } from '../../../src/studio'
import { median, printFigure, ratioInTurn } from '../figures'
import { draft } from './draft'
import { fileIndexOver } from './file-index'
import { madeUpItems, madeUpQueries, placeDatabase, unknownQueries } from './items'
import { miniSearchOver } from './minisearch'

const bin = resolve('bin/studio.js')
const COLD_ROUNDS = 31
/** MiniSearch would need many gigabytes for more. */
const MOST_COMPARED = 100_000

/**
 * Measures search over this number of items.
 * @param first The time of a cold search of the first size relative to an empty Node process; null for the first size.
 */
export async function printSize(size: number, first: number | null): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-bench-'))
  const at = `at ${size.toLocaleString('en')}: `
  try {
    const path = join(folder, 'studio.db')
    await placeDatabase(path, madeUpItems(size))
    printRebuild(folder, at, size)
    const ratio = await printCold(folder, at, first)
    await printUnknown(folder, at)
    await printDraft(path, at, folder)
    if (size <= MOST_COMPARED) await printWarm(size, at)
    return first ?? ratio
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const COLD_SIZES = [10_000, 100_000]

/** Measures only the processes of single searches. */
export async function printColdSizes(): Promise<void> {
  let first: number | null = null
  for (const size of COLD_SIZES) {
    const folder = mkdtempSync(join(tmpdir(), 'studio-bench-'))
    const at = `at ${size.toLocaleString('en')}: `
    try {
      await placeDatabase(join(folder, 'studio.db'), madeUpItems(size))
      studio(folder, ['index', 'rebuild'])
      const ratio = await printCold(folder, at, first)
      first ??= ratio
      await printUnknown(folder, at)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

function printRebuild(folder: string, at: string, size: number): void {
  const goals = size === 100_000 ? { seconds: 8, megabytes: 500 } : { seconds: undefined, megabytes: undefined }
  const startedAt = performance.now()
  const { peakMb } = studio(folder, ['index', 'rebuild'])
  const seconds = (performance.now() - startedAt) / 1_000
  printFigure({
    name: `${at}full rebuild, the process from start to end`,
    value: seconds,
    unit: 's',
    atMost: goals.seconds,
  })
  printFigure({ name: `${at}its peak memory`, value: peakMb, unit: 'MB', atMost: goals.megabytes })
  const bytes = (path: string) => statSync(path).size
  const index = readdirSync(`${join(folder, 'studio.db')}.search`).map((file) =>
    bytes(join(folder, 'studio.db.search', file)),
  )
  const ratio = index.reduce((sum, one) => sum + one, 0) / bytes(join(folder, 'studio.db'))
  printFigure({ name: `${at}the index ÷ the database, in bytes`, value: ratio })
}

async function printCold(folder: string, at: string, first: number | null): Promise<number> {
  const ratio = await measureCold(folder, madeUpQueries(COLD_ROUNDS + 1, 3))
  printFigure({ name: `${at}cold studio search, three words ÷ node -e 0`, value: ratio, atMost: 1.6 })
  if (first !== null)
    printFigure({ name: `${at}cold studio search ÷ at the first size`, value: ratio / first, atMost: 1.1 })
  const peaks = madeUpQueries(5, 3).map((query) => studio(folder, ['search', query]).peakMb)
  printFigure({ name: `${at}the peak memory of a cold search`, value: Math.max(...peaks), unit: 'MB', atMost: 80 })
  return ratio
}

async function printUnknown(folder: string, at: string): Promise<void> {
  const ratio = await measureCold(folder, unknownQueries(COLD_ROUNDS + 1, 3))
  printFigure({ name: `${at}cold studio search, three words that no text has ÷ node -e 0`, value: ratio, atMost: 2.5 })
  const peaks = unknownQueries(5, 3).map((query) => studio(folder, ['search', query]).peakMb)
  printFigure({ name: `${at}the peak memory of that`, value: Math.max(...peaks), unit: 'MB', atMost: 90 })
}

/** The ratio of processes that search for these, to an empty Node process. */
function measureCold(folder: string, queries: string[]): Promise<number> {
  const timed = (words: () => string[]) => async () => {
    const args = words()
    const startedAt = performance.now()
    execFileSync(process.execPath, args, { env: environment(folder), stdio: 'ignore' })
    return performance.now() - startedAt
  }
  return ratioInTurn(
    COLD_ROUNDS,
    timed(() => [bin, 'search', queries.pop()!]),
    timed(() => ['-e', '0']),
  )
}

/** Measures the same writes with and without the index, and a search by another process right after them. */
async function printDraft(path: string, at: string, folder: string): Promise<void> {
  const { observer, indexes } = createSearch({ database: path, inFiles: true, now: Date.now, notice() {} })
  const db = await openDatabase(path, migrations, { observer })
  const timings: Record<'with' | 'without', number[]> = { with: [], without: [] }
  const save = (title: string) => db.write((tx) => insertDraft(tx, draft(title)))
  for (let i = 0; i < 40; i++) await save(`Warming ${i}`)
  let committedMs = 0
  const committed = observer!.committed.bind(observer)
  observer!.committed = async (commit) => {
    const startedAt = performance.now()
    await committed(commit)
    committedMs = performance.now() - startedAt
  }
  for (let i = 0; i < 200; i++) {
    const startedAt = performance.now()
    await save(`Draft number ${i}`)
    timings.with.push(committedMs)
    timings.without.push(performance.now() - startedAt - committedMs)
  }
  await save('Unmistakable xylophone')
  const found = JSON.parse(studio(folder, ['search', 'xylophone', '--json']).out).total
  printFigure({ name: `${at}one saved draft, added to its write`, value: median(timings.with), unit: 'ms', atMost: 2 })
  printFigure({ name: `${at}found by another process right after`, value: found, unit: '', atLeast: 1 })
  await db.close()
  indexes.close()
}

async function printWarm(size: number, at: string): Promise<void> {
  const texts = [...madeUpItems(size)]
  const index = await fileIndexOver(texts)
  const baseline = miniSearchOver(texts)
  if (baseline === null) console.log('  MiniSearch could not be had: see what npm install says on this machine')
  else {
    const queries = madeUpQueries(60, 3)
    const p50 = async (search: (query: string) => unknown) => {
      const timings: number[] = []
      for (const query of queries) timings.push(await elapsed(() => search(query)))
      return median(timings)
    }
    for (const query of queries) await index.search(`${query} `)
    const [own, theirs] = [
      await p50((query) => index.search(`${query} `)),
      await p50((query) => baseline.search(query)),
    ]
    printFigure({ name: `${at}warm three words, p50`, value: own, unit: 'ms' })
    printFigure({ name: `${at}the same ÷ MiniSearch`, value: own / theirs, decimals: 3, atMost: 0.05 })
  }
  index.remove()
}

async function elapsed(work: () => unknown): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** Prints the peak memory of the program itself, because the value of `getrusage` includes the size of its parent process. */
const WRITES_PEAK = `
  import { readFileSync, writeFileSync } from 'node:fs'
  const peak = () => Number(/VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1])
  process.on('exit', () => writeFileSync(process.env.PEAK, String(process.platform === 'linux' ? peak() : process.resourceUsage().maxRSS)))
`

/** Runs the built program, which prints its peak memory. */
function studio(folder: string, args: string[]): { out: string; peakMb: number } {
  const peak = join(folder, 'peak')
  const measuring = ['--import', `data:text/javascript,${encodeURIComponent(WRITES_PEAK)}`]
  const env = { ...environment(folder), PEAK: peak }
  const out = execFileSync(process.execPath, [...measuring, bin, ...args], { env, encoding: 'utf8' })
  return { out, peakMb: existsSync(peak) ? Number(readFileSync(peak, 'utf8')) / 1_000 : Number.NaN }
}

function environment(folder: string): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], STUDIO_HOME: folder }
}
