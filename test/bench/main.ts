import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { type Figure, takePrinted } from './figures'
import { findRegressions, parseLedger, recordFigures } from './ledger'

/**
 * `npm run bench` runs all benchmarks, `npm run bench -- cli` runs one. Each prints median ratios to a named baseline that runs
 * alternately with it, because a slow machine slows down both. `npm run bench -- --check` runs those of the ledger and fails if a figure
 * has become worse; `npm run bench -- --record cli "workspace bare"` writes the figures of these into it.
 */
const benches: Record<string, () => Promise<{ run(args: string[]): Promise<void> }>> = {
  assistant: () => import('./assistant'),
  attacks: () => import('./attacks'),
  cluster: () => import('./cluster'),
  cli: () => import('./cli'),
  console: () => import('./console'),
  forecast: () => import('./forecast'),
  http: () => import('./http'),
  docks: () => import('./docks'),
  partitions: () => import('./partitions'),
  redaction: () => import('./redaction'),
  reports: () => import('./reports'),
  sanitize: () => import('./sanitize'),
  storage: () => import('./storage'),
  search: () => import('./search'),
  workspace: () => import('./workspace'),
}

const LEDGER = 'docs/performance.md'

async function runBench(words: readonly string[]): Promise<Figure[]> {
  const [name, ...args] = words as [string, ...string[]]
  console.log(`\n${words.join(' ')}`)
  takePrinted()
  await (await benches[name]!()).run(args)
  return takePrinted()
}

/** Compares the figures with the ledger. Returns what has become worse. */
async function check(chosen: readonly string[]): Promise<string[]> {
  const rows = parseLedger(readFileSync(LEDGER, 'utf8'))
  const all = [...new Set(rows.map(({ bench }) => bench))]
  const worse: string[] = []
  for (const bench of chosen.length > 0 ? chosen : all)
    worse.push(...findRegressions(rows, bench, await runBench(bench.split(' '))))
  return worse
}

async function record(chosen: readonly string[]): Promise<void> {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  for (const bench of chosen) {
    const measured = await runBench(bench.split(' '))
    writeFileSync(LEDGER, recordFigures(readFileSync(LEDGER, 'utf8'), bench, { measured, commit }))
  }
}

const [first, ...rest] = process.argv.slice(2)
const isFlag = first === '--check' || first === '--record'
const named = isFlag ? rest.map((bench) => bench.split(' ')[0]!) : first === undefined ? [] : [first]
const unknown = named.find((name) => !(name in benches))
if (unknown !== undefined) {
  console.error(`There is no bench "${unknown}": ${Object.keys(benches).join(', ')}`)
  process.exit(2)
}
if (first === '--record') await record(rest)
else if (first === '--check') {
  const worse = await check(rest)
  console.log(worse.length === 0 ? `\nNo figure is worse than in ${LEDGER}.` : `\n${worse.join('\n')}`)
  process.exitCode = worse.length === 0 ? 0 : 1
} else if (first !== undefined) await runBench([first, ...rest])
else for (const name of Object.keys(benches)) await runBench([name])
