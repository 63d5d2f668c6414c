import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestSandbox } from '../../sandbox/test-sandbox'
import { printFigure, ratioInTurn } from '../figures'
import { bigTree } from '../workspace-tree'

const ITEMS = 5_000
const ROUNDS = 7
const CONCURRENCY = 4
const bin = resolve('bin/studio.js')

interface Sent {
  method: string
  path: string
  body: string
}

/** Measures `studio import` into an empty home against a process that only sends the same requests and parses the answers. */
export async function printAgainstBare(folder: string): Promise<void> {
  for (const { delayMs, atMost } of [
    { delayMs: 60, atMost: 1.2 },
    { delayMs: 0, atMost: 3 },
  ]) {
    const recorded = await startRecorded(ITEMS, delayMs)
    const home = join(folder, 'imported')
    const requests = join(folder, 'requests.json')
    const timed = (args: string[]) => async () => {
      rmSync(home, { recursive: true, force: true })
      mkdirSync(home)
      const env = {
        PATH: process.env['PATH'],
        HOME: folder,
        REQUESTS: requests,
        STUDIO_HOME: home,
        STUDIO_TRACKER_URL: recorded.url,
        STUDIO_TRACKER_PROJECT: recorded.project,
      }
      const startedAt = performance.now()
      execFileSync(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
      return performance.now() - startedAt
    }
    const imported = timed([bin, 'import', '1', '--json'])
    try {
      await imported()
      const { origin } = new URL(recorded.url)
      writeFileSync(requests, JSON.stringify({ origin, sent: await recorded.sent() }))
      printFigure({
        name: `import of ${ITEMS} items, ${delayMs} ms for a request ÷ a bare loop of its requests`,
        value: await ratioInTurn(ROUNDS, imported, timed(['--input-type=module', '-e', SENDS_REQUESTS])),
        atMost,
      })
    } finally {
      recorded.stop()
    }
  }
}

/** Sends the requests before the pages one after another, and the pages as concurrently as the adapter does. */
const SENDS_REQUESTS = `
  import { readFileSync } from 'node:fs'
  import { Pool } from 'undici'
  const { origin, sent } = JSON.parse(readFileSync(process.env.REQUESTS, 'utf8'))
  const pool = new Pool(origin, { connections: ${CONCURRENCY} })
  const send = async ({ method, path, body }) => {
    const headers = { accept: 'application/json', 'content-type': 'application/json' }
    const response = await pool.request({ method, path, headers, body: body === '' ? null : body })
    JSON.parse(await response.body.text())
  }
  const isPage = ({ path }) => path.includes('workitemsbatch')
  for (const request of sent.filter((one) => !isPage(one))) await send(request)
  const pages = sent.filter(isPage)
  let next = 0
  const worker = async () => {
    while (next < pages.length) await send(pages[next++])
  }
  await Promise.all(Array.from({ length: ${CONCURRENCY} }, worker))
  await pool.close()
`

interface Recorded {
  url: string
  project: string
  /** The requests since it was last asked. */
  sent(): Promise<Sent[]>
  stop(): void
}

/** Starts, as a process of its own, a tracker that computes each answer once, so that it takes little processor time afterwards. */
async function startRecorded(size: number, delayMs: number): Promise<Recorded> {
  const child = fork(process.argv[1]!, ['workspace', 'record', String(size), String(delayMs)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [{ url, project }] = (await once(child, 'message')) as [{ url: string; project: string }]
  const sent = async () => {
    child.send('sent')
    return ((await once(child, 'message')) as [Sent[]])[0]
  }
  return { url, project, sent, stop: () => void child.disconnect() }
}

export async function serveRecorded(size: number, delayMs: number): Promise<void> {
  const sandbox = await startTestSandbox({ seed: bigTree(size) })
  const answers = new Map<string, Promise<{ status: number; headers: Record<string, string>; body: Buffer }>>()
  const sent: Sent[] = []
  const ask = async ({ method, path, body }: Sent, { headers: { host: _, ...headers } }: IncomingMessage) => {
    const answer = await fetch(new URL(path, sandbox.url), {
      method,
      headers: headers as Record<string, string>,
      body: method === 'GET' ? null : body,
    })
    const { 'content-length': _length, ...rest } = Object.fromEntries(answer.headers)
    return { status: answer.status, headers: rest, body: Buffer.from(await answer.arrayBuffer()) }
  }
  const server = createServer(async (incoming, response) => {
    const request = { method: incoming.method!, path: incoming.url!, body: await text(incoming) }
    sent.push(request)
    const key = JSON.stringify(request)
    if (!answers.has(key)) answers.set(key, ask(request, incoming))
    const [{ status, headers, body }] = await Promise.all([answers.get(key)!, delayMs > 0 && sleep(delayMs)])
    response.writeHead(status, { ...headers, 'content-length': body.length }).end(body)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  process.on('message', () => process.send!(sent.splice(0)))
  process.send!({ url: sandbox.url.replace(new URL(sandbox.url).origin, url), project: sandbox.project })
  await once(process, 'disconnect')
  server.closeAllConnections()
  server.close()
  await sandbox.close()
}
