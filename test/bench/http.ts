import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, printFigure, ratioInTurn } from './figures'
import { emptyNode, type Running, serveBare, serveStudio, startToFirstAnswer, studioSync } from './http/servers'
import { drive, type WireRequest, wireRequest } from './http/wire-client'

const ROUNDS = 5
const CONNECTIONS = 64
const SLICE_MS = 3_000
const WARM_UP_REQUESTS = 5_000
const START_ROUNDS = 11
const MIXED_ROUNDS = 5
const MIXED_REQUESTS = 10_000
const MEMORY_FIRST = 20_000
const MEMORY_LAST = 200_000
/** The number of requests between two measurements of memory. */
const MEMORY_SAMPLED = 20_000
const MIB = 1024 * 1024

/**
 * `npm run bench -- http`: measures the built server with a client in this process. On a machine with two cores each uses one.
 * `npm run bench -- http throughput` runs one part; the others are `spread`, `start` and `memory`.
 */
export async function run([only]: string[] = []): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'studio-bench-'))
  try {
    studioSync(home, ['import', '101'])
    studioSync(home, ['copy-sanitize', '204'])
    if (!only || only === 'throughput') await compareThroughput(home)
    if (!only || only === 'spread') await spreadOfMixed(home)
    if (!only || only === 'start') await measureStart(home)
    if (!only || only === 'memory') await memoryOverTime(home)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

async function measureStart(home: string): Promise<void> {
  printFigure({
    name: 'studio serve to its first answer ÷ node -e 0',
    value: await ratioInTurn(START_ROUNDS, () => startToFirstAnswer(home), emptyNode),
    atMost: 4,
  })
}

async function compareThroughput(home: string): Promise<void> {
  const studio = await serveStudio(home)
  const bare = await serveBare(await (await fetch(`http://${studio.host}:${studio.port}/api/stories/1`)).text())
  for (const server of [studio, bare]) await requests(server, [storyOf(server)], WARM_UP_REQUESTS)
  const perSecond =
    (server: Running, request = storyOf(server)) =>
    async () => {
      const startedAt = performance.now()
      let count = 0
      await drive(
        { ...server, connections: CONNECTIONS },
        () => (performance.now() - startedAt < SLICE_MS ? request : null),
        (status) => {
          if (status !== 200) throw new Error(`${request.name}: ${status}`)
          count++
        },
      )
      return count / (performance.now() - startedAt)
    }
  printFigure({
    name: 'GET /api/stories/{id} a second ÷ a bare Hono route',
    value: await ratioInTurn(ROUNDS, perSecond(studio), perSecond(bare)),
    atLeast: 0.75,
  })
  const health = wireRequest(`${studio.host}:${studio.port}`, 'GET', '/api/health')
  await requests(studio, [health], WARM_UP_REQUESTS)
  printFigure({
    name: 'GET /api/health a second ÷ a bare Hono route',
    value: await ratioInTurn(ROUNDS, perSecond(studio, health), perSecond(bare)),
    atLeast: 0.75,
  })
  await Promise.all([studio.stop(), bare.stop()])
}

function storyOf({ host, port }: Running): WireRequest {
  return wireRequest(`${host}:${port}`, 'GET', '/api/stories/1')
}

/** Nine different reads, and one write. */
function mixOf({ host, port }: Running): WireRequest[] {
  const at = `${host}:${port}`
  const read = (path: string) => wireRequest(at, 'GET', path)
  const write = wireRequest(at, 'POST', '/api/planner/priorities-config', { body: { designated: [101] } })
  const story = read('/api/stories/1')
  return [
    story,
    read('/api/stories/saved'),
    story,
    read('/api/devops/items/204?cached=true'),
    story,
    write,
    read('/api/search/fast?q=door&limit=5'),
    story,
    read('/api/helper/working-filter'),
    story,
  ]
}

async function spreadOfMixed(home: string): Promise<void> {
  const server = await serveStudio(home)
  const mix = mixOf(server)
  await requests(server, mix, WARM_UP_REQUESTS)
  const spreads: number[] = []
  for (let round = 0; round < MIXED_ROUNDS; round++) {
    const times = (await requests(server, mix, MIXED_REQUESTS)).sort((a, b) => a - b)
    spreads.push(times[Math.floor(times.length * 0.99)]! / times[Math.floor(times.length * 0.5)]!)
  }
  await server.stop()
  printFigure({ name: 'p99 ÷ p50 of mixed reads and writes, 64 connections', value: median(spreads), atMost: 6 })
}

async function memoryOverTime(home: string): Promise<void> {
  const server = await serveStudio(home)
  const at = `${server.host}:${server.port}`
  const refused = [
    wireRequest(at, 'GET', '/api/stories/999'),
    wireRequest(at, 'GET', '/api/health', { headers: { Authorization: 'Bearer nobody' } }),
    wireRequest(at, 'GET', '/api/health', { headers: { Host: 'elsewhere.example' } }),
    wireRequest(at, 'POST', '/api/stories/move', { body: { id: 1 } }),
  ]
  const mix = [...mixOf(server), ...refused]
  await requests(server, mix, MEMORY_FIRST, false)
  const first = await residentWhile(server, mix)
  await requests(server, mix, MEMORY_LAST - MEMORY_FIRST - MEMORY_SAMPLED, false)
  const last = await residentWhile(server, mix)
  await server.stop()
  printFigure({
    name: 'memory after 200,000 mixed requests − after 20,000',
    value: (last - first) / MIB,
    unit: 'MiB',
    atMost: 10,
  })
}

/** The median over thousands of requests, because a single value depends on the last garbage collection. */
async function residentWhile(server: Running, mix: readonly WireRequest[]): Promise<number> {
  const samples: number[] = []
  for (let sent = 0; sent < MEMORY_SAMPLED; sent += MEMORY_SAMPLED / 20) {
    await requests(server, mix, MEMORY_SAMPLED / 20, false)
    samples.push(await residentBytes(server.pid))
  }
  return median(samples)
}

/** The durations in milliseconds. Throws if a request fails and none is allowed to. */
async function requests(
  server: Running,
  mix: readonly WireRequest[],
  count: number,
  allMustDo = true,
): Promise<number[]> {
  const times: number[] = []
  let sent = 0
  await drive(
    { ...server, connections: CONNECTIONS },
    () => (sent < count ? mix[sent++ % mix.length]! : null),
    (status, milliseconds) => {
      if (status >= 500 || (allMustDo && status !== 200)) throw new Error(`An answer was ${status}.`)
      times.push(milliseconds)
    },
  )
  return times
}

/** The memory of the idle process: the minimum of several measurements. */
async function residentBytes(pid: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let look = 0; look < 10; look++) {
    await new Promise((done) => setTimeout(done, 200))
    const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]!
    least = Math.min(least, Number(kib) * 1024)
  }
  return least
}
