import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { loadOperation } from '../../../src/catalog'
import { MAX_HOLD_MS, measureHold, startWatchedService, type WatchedService } from './watched-service'

const DRAFTS = 40
const TEXT_BYTES = 940_000

let service: WatchedService
beforeAll(async () => {
  service = await startWatchedService()
  const save = await loadOperation('drafts.save')
  for (let i = 0; i < DRAFTS; i++) {
    const description = `Line ${i} of a long text.\n`.repeat(40_000).slice(0, TEXT_BYTES)
    const { status } = await service.call(save, { title: `Draft ${i}`, description })
    expect(status).toBe(200)
  }
  for (let i = 0; i < 10; i++) await service.call(save, { id: 1, description: `${i} `.repeat(TEXT_BYTES / 2) })
  await service.takeLongestHold()
})
afterAll(() => service.close())

interface Answer {
  status: number
  headers: Record<string, unknown>
  body: Buffer
}

function get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(service.url + path, { headers, agent: false }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece)).on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(pieces) }),
      )
    })
    sent.on('error', reject).end()
  })
}

/** Expects that other calls run while so many callers get the answer at the same time. */
async function expectTurns(
  path: string,
  { callers = 1, headers = {} }: { callers?: number; headers?: Record<string, string> } = {},
) {
  const send = async () => {
    const answers = await Promise.all(Array.from({ length: callers }, () => service.fetch(path, { headers })))
    await Promise.all(answers.map((answer) => answer.arrayBuffer()))
    return new Response(null, { status: Math.max(...answers.map(({ status }) => status)) })
  }
  await service.takeLongestHold()
  const { status, heldMs } = await measureHold(service, send)
  expect([path, status, heldMs <= MAX_HOLD_MS || heldMs]).toEqual([path, 200, true])
}

it('a list of long texts is sent whole, with a version, and lets other calls run', async () => {
  const whole = await get('/api/stories/saved')
  const { 'content-length': length, etag } = whole.headers
  expect(whole.status).toBe(200)
  expect(Number(length)).toBe(whole.body.length)
  expect(JSON.parse(whole.body.toString())).toHaveLength(DRAFTS)
  const known = await get('/api/stories/saved', { 'if-none-match': String(etag) })
  expect([known.status, known.body.length, known.headers['etag']]).toEqual([304, 0, etag])
  const [br, gzip] = [
    await get('/api/stories/saved', { 'accept-encoding': 'br' }),
    await get('/api/stories/saved', { 'accept-encoding': 'gzip' }),
  ]
  expect([br.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip'])
  expect(brotliDecompressSync(br.body).equals(whole.body)).toBe(true)
  expect(gunzipSync(gzip.body).equals(whole.body)).toBe(true)
  expect((await get('/api/stories/saved?search=nowhere')).body.toString()).toBe('[]')
  expect(JSON.parse((await get('/api/stories/1/history')).body.toString()).versions).toHaveLength(11)
  for (const encoding of ['identity', 'br', 'gzip'])
    await expectTurns('/api/stories/saved', { headers: { 'accept-encoding': encoding } })
  for (const path of ['/api/stories/saved?search=nowhere', '/api/stories/1/history', '/console/drafts'])
    await expectTurns(path)
})

it.runIf(process.platform === 'linux')('several at once take little more memory than one after the other', async () => {
  const peak = async () => {
    const status = await readFile(`/proc/${service.pid}/status`, 'utf8')
    return Number(/VmHWM:\s+(\d+)/.exec(status)![1]) * 1024
  }
  const list = () => get('/api/stories/saved')
  const { length } = (await list()).body
  for (let i = 0; i < 8; i++) await list()
  const before = await peak()
  // Their callers do not read: what was written for them stays in memory.
  const slow = Array.from({ length: 6 }, () =>
    request(`${service.url}/api/stories/saved`, { agent: false }, (response) => response.pause()),
  )
  onTestFinished(() => {
    for (const one of slow) one.destroy()
  })
  for (const one of slow) one.on('error', () => {}).end()
  const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(list))
  expect(new Set(answers.map(({ body }) => body.length))).toEqual(new Set([length]))
  expect((await peak()) - before).toBeLessThan(7 * length)
  await expectTurns('/api/stories/saved', { callers: 6 })
  // Pages of the console take turns as well.
  const beforePages = await peak()
  const atOnce = await Promise.all(Array.from({ length: 8 }, () => get('/console/drafts')))
  expect(new Set(atOnce.map(({ status }) => status))).toEqual(new Set([200]))
  expect((await peak()) - beforePages).toBeLessThan(7 * length)
  await expectTurns('/console/drafts', { callers: 8 })
})

it.runIf(process.platform === 'linux')('a page of a list takes the memory of its own entries', async () => {
  const resident = async () => Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${service.pid}/status`, 'utf8'))![1])
  const whole = (await get('/api/stories/saved')).body.length
  await get('/api/stories/saved?limit=2')
  const before = await resident()
  for (const sort of ['updated', 'created', 'title', 'points', '-updated', '-created', '-title', '-points']) {
    const { status, body } = await get(`/api/stories/saved?limit=1&sort=${sort}`)
    expect([status, body.length < whole / 20]).toEqual([200, true])
  }
  expect(((await resident()) - before) * 1024).toBeLessThan(whole)
})

it('one caller may have only some under way, until they have been read', async () => {
  const unread = Array.from({ length: 16 }, () =>
    request(`${service.url}/api/stories/saved`, { agent: false }, (response) => response.pause()),
  )
  onTestFinished(() => {
    for (const one of unread) one.destroy()
  })
  const begun = unread.map(
    (one) =>
      new Promise((resolve) =>
        one
          .on('error', () => {})
          .on('response', resolve)
          .end(),
      ),
  )
  await Promise.all(begun)
  expect((await get('/api/stories/saved?sort=title')).status).toBe(429)
  for (const one of unread) one.destroy()
  await expect.poll(async () => (await get('/api/stories/saved?sort=title')).status).toBe(200)
})
