import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { execa, type ResultPromise } from 'execa'
import { describe, expect, it, onTestFinished } from 'vitest'
import { firstJsonLine, program } from '../contract/program'

const bin = resolve('bin/studio.js')

interface Call {
  method: string
  path: string
  body?: unknown
  headers?: Record<string, string>
}

interface Answer {
  status: number
  retryAfter: string | undefined
  text: string
}

/** A service with a facility and drafts, a client with one connection, and calls of all kinds. */
async function serve(args: readonly string[], handles: number) {
  const studio = await program()
  const { key } = await studio.json(['tenant', 'key', 'create'])
  const facilityArgs = ['--code', 'A', '--name', 'A', '--time-zone', 'UTC', '--queue', 'mon-sun 06:00-18:00']
  const facility = await studio.json(['facility', 'create', ...facilityArgs, '--door', 'D1', '--door', 'D2'])
  await studio.json(['draft', 'save', '--title', 'First'])
  // So long that the thread for long texts converts it.
  await studio.json([
    'draft',
    'save',
    '--title',
    'Long',
    '--description',
    '**bold** and [a link](https://a.example) '.repeat(2_500),
  ])
  const running = execa(
    'sh',
    ['-c', `ulimit -n ${handles}; exec "$@"`, 'sh', process.execPath, bin, 'serve', '--port', '0', '--json', ...args],
    {
      cwd: studio.home,
      extendEnv: false,
      env: { PATH: process.env['PATH'] ?? '', STUDIO_HOME: studio.home },
      stdin: 'ignore',
      reject: false,
    },
  )
  onTestFinished(async () => {
    running.kill('SIGTERM')
    await running
  })
  const { url } = await firstJsonLine(running)
  const port = Number(new URL(url).port)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  let bookings = 0
  const calls = (): Call[] => {
    const dock = { 'x-api-key': key }
    const booking = {
      facilityId: facility.id,
      type: 'pickup',
      carrierName: 'Carrier',
      referenceNumber: `R${++bookings}`,
      targetDate: '2055-03-04',
    }
    const get = (path: string, headers = {}): Call => ({ method: 'GET', path, headers })
    const post = (path: string, body: unknown, headers = {}): Call => ({ method: 'POST', path, body, headers })
    return [
      get('/api/health'),
      get('/api/agent'),
      get('/llms.txt'),
      get('/openapi.json'),
      get('/docs'),
      get('/api/facilities', dock),
      post('/api/appointments/auto-schedule', booking, dock),
      get(`/api/appointments?facility_id=${facility.id}`, dock),
      get(`/api/facilities/${facility.id}/availability?date=2055-03-04&type=pickup`, dock),
      post('/api/stories/save-draft', { title: 'Another' }),
      get('/api/stories/saved'),
      get('/api/stories/1'),
      get('/api/search/fast?q=first'),
      get('/api/search/stats'),
      post('/api/search/reindex', {}),
      get('/api/devops/items/101'),
      post('/api/devops/search', { query: 'login' }),
      get('/api/helper/items'),
      post('/api/helper/sync', {}),
      get('/api/reporting/features-hierarchy'),
      get('/api/reporting/leadership-summary'),
      post('/api/reporting/generate-briefing', { mode: 'deterministic' }),
      post('/api/stories/copy-sanitize', { id: 101 }),
      get('/api/prompts'),
      get('/console'),
      get('/console/drafts'),
      get('/console/drafts/2'),
      get('/console/reports'),
      get('/console/sign-in'),
      get('/console/docks', dock),
      post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { accept: 'application/json, text/event-stream' }),
    ]
  }
  const ask = (given: Call) => call({ port, agent, ...given })
  const callAll = async () => {
    const answers: { path: string; status: number; retryAfter: string | undefined; text: string }[] = []
    for (const given of calls()) answers.push({ path: given.path, ...(await ask(given)) })
    return answers
  }
  return { studio, running, port, key, facility, ask, callAll }
}

function call({ method, path, body, headers = {}, ...target }: Call & { port: number; agent: Agent }): Promise<Answer> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const own =
    text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', method, path, headers: { ...own, ...headers }, ...target },
      (response) => {
        let said = ''
        response.setEncoding('utf8').on('data', (piece) => {
          said += piece
        })
        response.on('end', () =>
          resolve({ status: response.statusCode!, retryAfter: response.headers['retry-after'], text: said }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(text)
  })
}

/** The number of handles that a running process may have. */
function limitHandles({ pid }: ResultPromise, handles: number): void {
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${handles}:`])
}

/** Every call either succeeds, or says that it is worth trying again. */
function expectNoFailure(answers: Awaited<ReturnType<Awaited<ReturnType<typeof serve>>['callAll']>>): void {
  const failed = answers.filter(
    ({ status, retryAfter }) => status !== 200 && !(status === 503 && Number(retryAfter) > 0),
  )
  expect(failed).toEqual([])
}

const HANDLES = 400

describe.runIf(process.platform === 'linux')('a service without free handles', () => {
  it.each([
    { isWarm: false, args: ['--log', 'off'] },
    { isWarm: true, args: ['--log', 'off'] },
    { isWarm: false, args: ['--log-file', 'studio.log'] },
    { isWarm: true, args: ['--log-file', 'studio.log'] },
  ])('answers 503, and works again as before: $args, used before: $isWarm', async ({ isWarm, args }) => {
    const { studio, running, ask, callAll } = await serve(args, HANDLES)
    if (isWarm) expectNoFailure(await callAll())
    else await ask({ method: 'GET', path: '/api/health' })
    limitHandles(running, 5)
    const refused = await callAll()
    expectNoFailure([...refused, ...(await callAll())])
    const codes = refused.filter(({ status, text }) => status === 503 && text.startsWith('{'))
    expect(codes.length).toBeGreaterThan(3)
    for (const { text } of codes)
      expect(JSON.parse(text)).toMatchObject({ code: 'unavailable', hint: expect.any(String) })
    // No caller pays for what another one has sent.
    for (const status of Array(3).fill(401))
      expect(
        (await ask({ method: 'GET', path: '/api/stories/1', headers: { authorization: 'Bearer x' } })).status,
      ).toBe(status)
    limitHandles(running, HANDLES)
    await expect.poll(async () => (await callAll()).filter(({ status }) => status !== 200)).toEqual([])
    expect(running.exitCode).toBeNull()
    if (args.includes('studio.log'))
      expect(await readFile(join(studio.home, 'studio.log'), 'utf8')).toContain('cannot open more files')
  })

  it('keeps handles for calls while others hold as many connections as they can, and a stream goes on', async () => {
    const { port, key, facility, callAll } = await serve(['--log', 'off'], 60)
    expectNoFailure(await callAll())
    const events: string[] = []
    const stream = connect(port, '127.0.0.1', () =>
      stream.write(
        `GET /api/appointments/events?facility_id=${facility.id} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-API-Key: ${key}\r\nAccept: text/event-stream\r\n\r\n`,
      ),
    )
    stream.setEncoding('utf8').on('data', (piece: string) => events.push(piece))
    await expect.poll(() => events.join('')).toContain('200 OK')
    const idle = Array.from({ length: 80 }, () => connect(port, '127.0.0.1').on('error', () => {}))
    onTestFinished(() => {
      for (const socket of [stream, ...idle]) socket.destroy()
    })
    await expect.poll(() => idle.filter(({ readyState }) => readyState === 'closed').length).toBeGreaterThan(40)
    expect((await callAll()).filter(({ status }) => status !== 200)).toEqual([])
    await expect.poll(() => events.join('')).toContain('appointment.')
  })
})
