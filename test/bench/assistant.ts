import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { type StubModel, startStubModel } from '../assistant/stub-model'
import { median, printFigure } from './figures'

const ROUNDS = 200
const LEAVERS = 50
const STREAMS = 100
const PIECES = 400
const PIECE = 'x'.repeat(500)

/** Measures the built server between a stub model and clients on this machine. The stub and the clients use the clock of this process. */
export async function run(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'studio-bench-'))
  try {
    await firstToken(home)
    await leaving(home)
    await slowReaders(home)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

async function firstToken(home: string): Promise<void> {
  let leftAt = 0
  const stub = await startStubModel({
    replies: [
      {
        // Created after the request has arrived, so that only the way back is measured.
        pieces: async (at) => {
          if (at > 0) return null
          await new Promise((done) => setTimeout(done, 5))
          leftAt = performance.now()
          return 'token'
        },
      },
    ],
  })
  await withServer(home, stub, async (url) => {
    const delays: number[] = []
    for (let round = 0; round < ROUNDS + 20; round++) {
      const { response } = await ask(url)
      let text = ''
      for await (const chunk of response) {
        if (!text.includes('event: token') && String(chunk).includes('event: token'))
          delays.push(performance.now() - leftAt)
        text += chunk
      }
    }
    const warm = delays.slice(-ROUNDS)
    printFigure({
      name: 'first token: from the model to the client, median',
      value: median(warm),
      unit: 'ms',
      atMost: 5,
    })
    printFigure({ name: 'the same, 95 of 100', value: percentile(warm, 0.95), unit: 'ms' })
  })
}

async function leaving(home: string): Promise<void> {
  const stub = await startStubModel({ replies: [{ pieces: ['token'], silentAfter: 1 }] })
  await withServer(home, stub, async (url) => {
    const delays: number[] = []
    for (let chat = 0; chat < LEAVERS; chat++) {
      const { call, response } = await ask(url)
      for await (const chunk of response) {
        if (!String(chunk).includes('event: token')) continue
        const left = performance.now()
        call.destroy()
        delays.push((await stub.cancelled(chat)) - left)
        break
      }
    }
    printFigure({
      name: 'a client leaves: until the model is told, at most',
      value: Math.max(...delays),
      unit: 'ms',
      atMost: 100,
    })
  })
}

async function slowReaders(home: string): Promise<void> {
  const stub = await startStubModel({ replies: [{ pieces: (at) => (at < PIECES ? `${at} ${PIECE}` : null) }] })
  await withServer(home, stub, async (url, server) => {
    await (await readSlowly(url)).text
    const idle = memoryOf(server)
    let peak = idle
    const watch = setInterval(() => {
      peak = Math.max(peak, memoryOf(server))
    }, 100)
    const streams = await Promise.all(Array.from({ length: STREAMS }, () => readSlowly(url)))
    const texts = await Promise.all(streams.map(({ text }) => text))
    clearInterval(watch)
    const inOrder = texts.filter(isInOrder).length
    printFigure({
      name: `${STREAMS} streams at once, slow readers: whole and in order`,
      value: inOrder,
      unit: '',
      atLeast: STREAMS,
    })
    printFigure({
      name: 'the same: memory of the server above idle',
      value: (peak - idle) / 1024,
      unit: 'MB',
      atMost: 64,
    })
  })
}

/** A client that reads a little and then pauses, far slower than the stub sends. */
async function readSlowly(url: string): Promise<{ text: Promise<string> }> {
  const { response } = await ask(url)
  const read = async () => {
    let text = ''
    for await (const chunk of response) {
      text += chunk
      await new Promise((done) => setTimeout(done, 20))
    }
    return text
  }
  return { text: read() }
}

function isInOrder(text: string): boolean {
  const numbers = [...text.matchAll(/"text":"(\d+) /g)].map(([, at]) => Number(at))
  return numbers.length === PIECES && numbers.every((at, i) => at === i) && text.includes('event: done')
}

function ask(url: string): Promise<{ call: ClientRequest; response: IncomingMessage }> {
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'Hello?' }] })
  return new Promise((done, failed) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length }
    const call = request(`${url}/api/chat/stream`, { method: 'POST', headers, agent: false }, (response) => {
      response.on('error', () => {})
      done({ call, response })
    })
    call.on('error', failed)
    call.end(body)
  })
}

async function withServer(
  home: string,
  stub: StubModel,
  work: (url: string, server: ChildProcess) => Promise<void>,
): Promise<void> {
  const server = spawn(process.execPath, [resolve('bin/studio.js'), 'serve', '--port', '0', '--json', '--quiet'], {
    env: { ...process.env, STUDIO_HOME: home, STUDIO_LLM_HOST: stub.url },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    await work(await addressOf(server), server)
  } finally {
    server.kill('SIGKILL')
    await stub.close()
  }
}

async function addressOf(server: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: server.stdout! })) return JSON.parse(line).url
  throw new Error('The server did not start.')
}

/** The resident memory in KiB. */
function memoryOf({ pid }: ChildProcess): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }))
}

function percentile(values: readonly number[], part: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * part)]!
}
