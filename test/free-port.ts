import { createServer } from 'node:net'

/**
 * Systems give ports from 32768 (Linux) or 49152 (macOS, Windows) to connections and to servers that name none. A port below stays
 * free until the server that it is for listens.
 */
const FIRST = 20_000
const PARTS = 400
const PORTS_OF_PART = 30

/** Test files run in processes of their own, and each process takes ports of its own part. */
const start = FIRST + (process.pid % PARTS) * PORTS_OF_PART
let taken = 0

/** A free port of this machine, for a server whose port must be known before it listens. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < PORTS_OF_PART; tries++) {
    const port = start + (taken++ % PORTS_OF_PART)
    if (await isFree(port)) return port
  }
  throw new Error(`no port from ${start} to ${start + PORTS_OF_PART - 1} is free`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
