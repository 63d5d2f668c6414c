import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, printFigure } from '../figures'
import { serveStudio, studioSync } from '../http/servers'
import { drive, type WireRequest, wireRequest } from '../http/wire-client'
import { madeUpItems, madeUpQueries, placeDatabase } from './items'

const ITEMS = 100_000
const QUERIES = 400
const ROUNDS = 3

/** Measures one client that searches for different words on a warm service, against the same client at the health check. */
export async function printOverHttp(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'studio-bench-'))
  try {
    await placeDatabase(join(home, 'studio.db'), madeUpItems(ITEMS))
    studioSync(home, ['index', 'rebuild'])
    const server = await serveStudio(home)
    const at = `${server.host}:${server.port}`
    const health = wireRequest(at, 'GET', '/api/health')
    let round = 0
    const searches = () =>
      madeUpQueries(QUERIES, 3 + round++).map((query) =>
        wireRequest(at, 'GET', `/api/search/fast?q=${encodeURIComponent(query)}&limit=10`),
      )
    try {
      await time(server, searches())
      const ratios: number[] = []
      const found: number[] = []
      for (let i = 0; i < ROUNDS; i++) {
        found.push(await time(server, searches()))
        ratios.push(
          found.at(-1)! /
            (await time(
              server,
              Array.from({ length: QUERIES }, () => health),
            )),
        )
      }
      printFigure({ name: `${ITEMS} items: warm search over HTTP, p50`, value: median(found), unit: 'ms', atMost: 4 })
      printFigure({ name: 'warm search over HTTP ÷ GET /api/health, p50', value: median(ratios), atMost: 12 })
    } finally {
      await server.stop()
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** The median duration of the requests, one after another. */
async function time({ host, port }: { host: string; port: number }, requests: readonly WireRequest[]): Promise<number> {
  const times: number[] = []
  let sent = 0
  await drive(
    { host, port, connections: 1 },
    () => requests[sent++] ?? null,
    (status, milliseconds) => {
      if (status !== 200) throw new Error(`A request was answered with ${status}.`)
      times.push(milliseconds)
    },
  )
  return median(times)
}
