import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openStudio } from '../../src/library'
import { printFigure, ratioInTurn } from './figures'

const ROUNDS = 15
const DATABASE_BYTES = 1_000_000

/** Measures processes of the built program against an empty Node process, with a database of one megabyte. */
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
    await figure('studio draft list --json, database of 1 MB', ['draft', 'list', '--json'], 2.5)
    await figure('completion of a live value: an item', complete('item', 'get', '20'), 1.8)
    await figure('completion of a live value: a draft', complete('draft', 'get', ''), 1.8)
    await figure('completion of a live value: a facility', complete('book', '--facility', ''), 1.8)
    await figure('studio search door', ['search', 'door'])
    await figure('studio folder list --json', ['folder', 'list', '--json'], 3.2)
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

/** Creates work items of the sandbox, a facility, and drafts until the snapshot and the log have this size. */
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
  for (let i = 0; bytesOfDatabase(home) < DATABASE_BYTES; i++) {
    await studio.call('drafts.save', {
      title: `Draft ${i} of the yard`,
      description: `Trucks wait at gate ${i} until a door is free. `.repeat(40),
      acceptanceCriteria: `- Door ${i} is shown on the board\n`.repeat(30),
    })
  }
  await studio.close()
}

function bytesOfDatabase(home: string): number {
  const files = readdirSync(home).filter((name) => /^studio\.db(\.log\.\d+)?$/.test(name))
  return files.reduce((sum, name) => sum + statSync(join(home, name)).size, 0)
}
