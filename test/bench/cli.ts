import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openStudio } from '../../src/library'
import { differenceInTurn, median, printFigure, ratioInTurn } from './figures'
import { measureFirstAnswer } from './first-answer'

const ROUNDS = 15
const DRAFTS = 400

/** Measures processes of the built program against an empty Node process, with a database of 400 drafts in about one megabyte. */
export async function run(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'studio-bench-'))
  // Without NODE_EXTRA_CA_CERTS and the like, which slow down the baseline too.
  const env = { PATH: process.env['PATH'], STUDIO_HOME: home }
  const bin = resolve('bin/studio.js')
  const timed = (args: string[]) => async () => {
    const startedAt = performance.now()
    execFileSync(process.execPath, args, { env, stdio: 'ignore' })
    return performance.now() - startedAt
  }
  const empty = timed(['-e', '0'])
  const figure = async (name: string, args: string[], atMost?: number) =>
    printFigure({ name: `${name} ÷ node -e 0`, value: await ratioInTurn(ROUNDS, timed([bin, ...args]), empty), atMost })
  const complete = (...words: string[]) => ['__complete', 'bash', '--', ...words]
  try {
    await fill(home, env)
    await figure('studio --version', ['--version'], 1.2)
    await figure('studio --help', ['--help'], 1.4)
    await figure('studio draft list --json, 400 drafts', ['draft', 'list', '--json'], 1.8)
    await figure('studio draft list, 400 drafts', ['draft', 'list'], 1.8)
    const version = timed([bin, '--version'])
    for (const flags of [[], ['--json']])
      printFigure({
        name: `studio draft list --limit 5 ${flags} − studio --version`,
        value: await differenceInTurn(ROUNDS, timed([bin, 'draft', 'list', '--limit', '5', ...flags]), version),
        unit: 'ms',
        decimals: 0,
        atMost: 60,
      })
    await figure('completion of a live value: an item', complete('item', 'get', '20'), 1.8)
    await figure('completion of a live value: a draft', complete('draft', 'get', ''), 1.8)
    await figure('completion of a live value: a facility', complete('book', '--facility', ''), 1.8)
    await figure('studio search door', ['search', 'door'], 1.6)
    await figure('studio folder list --json', ['folder', 'list', '--json'], 3.2)
    await figure('studio item list', ['item', 'list'])
    const serve = () => measureFirstAnswer(bin, env)
    const served = await ratioInTurn(ROUNDS, serve, empty)
    printFigure({ name: 'studio serve, until its first answer ÷ node -e 0', value: served })
    const times: number[] = []
    for (let i = 0; i < ROUNDS; i++) times.push(await serve())
    printFigure({
      name: 'studio serve, until its first answer',
      value: median(times),
      unit: 'ms',
      decimals: 0,
      atMost: 200,
    })
    const mcp = () => untilToolsAreListed([bin, 'mcp', '--quiet'], env)
    printFigure({
      name: 'studio mcp, until an agent has its tools ÷ node -e 0',
      value: await ratioInTurn(ROUNDS, mcp, empty),
    })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

async function untilToolsAreListed(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'ignore'] })
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } }
  for (const message of [
    { id: 1, method: 'initialize', params },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
  ])
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  let output = ''
  for await (const piece of child.stdout) {
    output += piece
    if (output.split('\n').some((line) => line.includes('"id":2') && line.includes('"tools"'))) break
  }
  const elapsed = performance.now() - startedAt
  child.kill()
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return elapsed
}

/** Creates work items of the sandbox, a facility, and drafts. */
async function fill(home: string, env: NodeJS.ProcessEnv): Promise<void> {
  const studio = openStudio({ env, cwd: home })
  await studio.call('features.import', { featureId: 101 })
  await studio.call('facilities.create', {
    code: 'DC1',
    name: 'North',
    timeZone: 'America/Chicago',
    queues: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], start: '06:00', end: '18:00' }],
    doors: [{ name: 'Door 1', types: ['pickup', 'delivery'] }],
  })
  for (let i = 0; i < DRAFTS; i++) {
    await studio.call('drafts.save', {
      title: `Draft ${i} of the yard`,
      description: `Trucks wait at gate ${i} until a door is free. `.repeat(12),
      acceptanceCriteria: `- Door ${i} is shown on the board\n`.repeat(12),
    })
  }
  await studio.close()
  console.log(`  a database of ${DRAFTS} drafts in ${Math.round(bytesOfDatabase(home) / 1_000)} kB`)
}

function bytesOfDatabase(home: string): number {
  const files = readdirSync(home).filter((name) => /^studio\.db(\.log\.\d+)?$/.test(name))
  return files.reduce((sum, name) => sum + statSync(join(home, name)).size, 0)
}
