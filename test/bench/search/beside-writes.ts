import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printFigure } from '../figures'
import { serveStudio, studioSync } from '../http/servers'
import { drive, wireRequest } from '../http/wire-client'
import { madeUpItems, madeUpQueries, placeDatabase } from './items'

const ITEMS = 5_000
const SEARCHERS = 64
const WRITES_A_SECOND = 5
/** Every connection must have been accepted when the measurement begins. */
const WARM_UP_MS = 5_000
const PHASE_MS = 8_000

/**
 * Measures searches of one service without writes, and then, on the same connections, while drafts are saved.
 * Searches of the warm-up are not counted.
 */
export async function printBesideWrites(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'studio-bench-'))
  try {
    await placeDatabase(join(home, 'studio.db'), madeUpItems(ITEMS))
    studioSync(home, ['index', 'rebuild'])
    const server = await serveStudio(home)
    try {
      const { alone, beside } = await searchBothWays(server)
      const p99 = (times: readonly number[]) => percentile(times, 0.99)
      print('while no one writes', alone)
      printFigure({
        name: `${SEARCHERS} searchers without writes: p99 ÷ p50`,
        value: p99(alone) / percentile(alone, 0.5),
        atMost: 3,
      })
      print(`while someone writes ${WRITES_A_SECOND} times a second`, beside)
      printFigure({
        name: `${SEARCHERS} searchers: p99 beside writes ÷ p99 without`,
        value: p99(beside) / p99(alone),
        atMost: 2,
      })
    } finally {
      await server.stop()
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

function print(when: string, times: readonly number[]): void {
  printFigure({ name: `searches ${when}: p50`, value: percentile(times, 0.5), unit: 'ms' })
  printFigure({ name: `searches ${when}: p99`, value: percentile(times, 0.99), unit: 'ms' })
}

function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}

async function searchBothWays({ host, port }: Place): Promise<{ alone: number[]; beside: number[] }> {
  const requests = madeUpQueries(200, 3).map((query) =>
    wireRequest(`${host}:${port}`, 'GET', `/api/search/fast?q=${encodeURIComponent(`${query} `)}&limit=10`),
  )
  const times = { warmUp: [] as number[], alone: [] as number[], beside: [] as number[] }
  const startedAt = performance.now()
  let stopWriting: (() => Promise<void>) | null = null
  const phaseAt = (time: number): keyof typeof times => {
    if (time < startedAt + WARM_UP_MS) return 'warmUp'
    return time < startedAt + WARM_UP_MS + PHASE_MS ? 'alone' : 'beside'
  }
  let sent = 0
  await drive(
    { host, port, connections: SEARCHERS },
    () => {
      const now = performance.now()
      if (now >= startedAt + WARM_UP_MS + 2 * PHASE_MS) return null
      if (phaseAt(now) === 'beside') stopWriting ??= startWriting({ host, port })
      return requests[sent++ % requests.length]!
    },
    (status, milliseconds) => {
      if (status !== 200) throw new Error(`A search was answered with ${status}.`)
      times[phaseAt(performance.now() - milliseconds)].push(milliseconds)
    },
  )
  await (stopWriting as (() => Promise<void>) | null)?.()
  return times
}

interface Place {
  host: string
  port: number
}

/** Saves drafts at a constant rate until it is stopped. */
function startWriting({ host, port }: Place): () => Promise<void> {
  const under = new Set<Promise<unknown>>()
  let saved = 0
  const timer = setInterval(() => {
    const title = `Draft number ${saved++}`
    const save = fetch(`http://${host}:${port}/api/stories/save-draft`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ title, description: `${title} of the bench.` }),
    }).then(async (answer) => {
      if (!answer.ok) throw new Error(`A draft was answered with ${answer.status}.`)
      await answer.arrayBuffer()
    })
    under.add(save)
    save.finally(() => under.delete(save)).catch(() => {})
  }, 1_000 / WRITES_A_SECOND)
  return async () => {
    clearInterval(timer)
    await Promise.all(under)
  }
}
