import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { redactFacts, redactText } from '../../src/http/redact'
import { formatLogLine, openServiceLog } from '../../src/http/service-log'
import type { Log } from '../../src/kernel'
import { expectOwnerOnly } from '../file-mode'
import { temporaryFolder } from '../temporary-folder'
import { served } from './served'
import { expectValidMetrics } from './valid-metrics'

type Line = Record<string, unknown> & { message: string }

function keptLog(): { log: Log; lines: Line[] } {
  const lines: Line[] = []
  const keep = (level: string) => (message: string, facts?: Record<string, unknown>) =>
    void lines.push({ level, message, ...facts })
  return { log: { debug() {}, info: keep('info'), warn: keep('warn'), error: keep('error') }, lines }
}

describe('the log', () => {
  it('has a line for each request, with its facts and without secrets', async () => {
    const { log, lines } = keptLog()
    const { call, token, close } = await served({ log })
    const own = await token(['read'])
    const { headers } = await call('GET', '/api/stories/saved?search=private', {
      headers: { authorization: `Bearer ${own}` },
    })
    await call('GET', '/api/health', { headers: { host: 'evil.example' } })
    await close()
    expect(lines.filter(({ message }) => message === 'request')).toMatchObject([
      {
        level: 'info',
        requestId: headers['x-request-id'],
        method: 'GET',
        path: '/api/stories/saved',
        route: '/api/stories/saved',
        status: 200,
        durationMs: expect.any(Number),
        peer: '127.0.0.1',
        caller: expect.stringMatching(/^token [0-9a-f-]{36}$/),
      },
      { status: 403, code: 'forbidden', route: null, caller: null },
    ])
    expect(JSON.stringify(lines)).not.toMatch(/studio_pat_|private/)
  })

  it('has an internal error with its cause, under the id that the caller got', async () => {
    const { log, lines } = keptLog()
    const { call, studio, close } = await served({ log })
    studio.db.read = () => Promise.reject(new Error('the disk is on fire'))
    const { status, body } = await call('GET', '/api/stories/1')
    await close()
    expect(status).toBe(500)
    expect(body.message).not.toContain('fire')
    const fault = lines.find(({ level, operation }) => level === 'error' && operation !== undefined)
    expect(fault).toMatchObject({ requestId: body.requestId, operation: 'drafts.get', cause: expect.any(Error) })
  })

  it('goes into a file that only the owner can read, and into a new one after that was moved', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'studio.log')
    const log = openServiceLog({ format: 'json', file, secrets: ['tracker-secret', 'a"b\\c'] })
    log.info('one', {
      token: 'abc',
      deep: { Authorization: 'Bearer abcdefgh' },
      note: 'with tracker-secret and a"b\\c',
    })
    await log.close()
    expectOwnerOnly(file)
    const text = await readFile(file, 'utf8')
    expect(JSON.parse(text)).toMatchObject({
      level: 'info',
      message: 'one',
      time: expect.stringMatching(/Z$/),
      token: '[removed]',
      deep: { Authorization: '[removed]' },
      note: 'with [removed] and [removed]',
    })
    await rename(file, `${file}.1`)
    log.reopen()
    // Lines go into the moved file until the new one is open.
    const writeAndRead = async () => {
      log.info('two')
      await log.close()
      return readFile(file, 'utf8').catch(() => '')
    }
    await expect.poll(writeAndRead).toContain('"two"')
    expect(await readFile(file, 'utf8')).not.toContain('"one"')
  })

  it('that is off still has internal errors', async () => {
    const file = join(temporaryFolder(), 'studio.log')
    const log = openServiceLog({ format: 'off', file, secrets: [] })
    log.info('request')
    log.error('operation failed', { cause: new Error('why') })
    await log.close()
    const lines = (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toMatchObject([{ message: 'operation failed', cause: { message: 'why', stack: expect.any(String) } }])
  })

  it('is rejected if its file cannot be written', async () => {
    const file = join(temporaryFolder(), 'no', 'such', 'folder.log')
    expect(() => openServiceLog({ format: 'json', file, secrets: [] })).toThrow(/cannot be written/)
  })
})

describe('redaction', () => {
  it.each([
    ['a token studio_pat_H8IOB66umDvydq8brHuI85zYFclVHZ4JRDCg!', 'a token [removed]!'],
    ['key=studio_key_H8IOB66umDvydq8brHuI85zYFclVHZ4JRDCg', 'key=[removed]'],
    ['Authorization: Bearer abcdefgh.ijk', 'Authorization: Bearer [removed]'],
    ['Basic dXNlcjpwYXNzd29yZA==', 'Basic [removed]'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl', '[removed]'],
    ['postgres://studio:p%40ss@db.example/x', 'postgres://[removed]@db.example/x'],
    ['GET /1postgres://a:b@c/x?next=https://d:e@f', 'GET /1postgres://[removed]@c/x?next=https://[removed]@f'],
    ['/password/Hk29dLq87z', '/password/[removed]'],
    ['/api/password/tulips/x?a=1', '/api/password/[removed]/x?a=1'],
    ['GET /reset-token%2Fabc/x', 'GET /reset-token%2F[removed]/x'],
    ['/api/tokens/{id} and /token/{id}', '/api/tokens/{id} and /token/{id}'],
    ['POST /token/refresh and /password/reset', 'POST /token/refresh and /password/reset'],
    ['/api/password/forgot?a=1, /auth/token/verify/', '/api/password/forgot?a=1, /auth/token/verify/'],
    ['/password/reset/Hk29dLq87z/x', '/password/reset/[removed]/x'],
    ['/token/refresh-Hk29dLq87z and /password/reset%21', '/token/[removed] and /password/[removed]'],
    ['at a (/app/src/token/read.js:3:1)', 'at a (/app/src/token/read.js:3:1)'],
    ['mail ana@example.com about http://db.example', 'mail ana@example.com about http://db.example'],
    ['nothing here: http://127.0.0.1:4317/api', 'nothing here: http://127.0.0.1:4317/api'],
  ])('of %s', (text, shown) => {
    expect(redactText(text)).toBe(shown)
  })

  it('of secrets without a typical form, and of names that suggest a secret', () => {
    expect(redactText('pat is s3cret.', ['s3cret'])).toBe('pat is [removed].')
    expect(redactFacts({ 'X-API-Key': 'a', list: [{ password: 'b', port: 1 }], tokenId: 'c' })).toEqual({
      'X-API-Key': '[removed]',
      list: [{ password: '[removed]', port: 1 }],
      tokenId: 'c',
    })
  })
})

describe('a line of the log for people', () => {
  it('shows the request and its outcome', () => {
    const facts = {
      level: 'info',
      time: '2026-11-20T13:34:56.840Z',
      message: 'request',
      method: 'GET',
      path: '/api/health',
      status: 200,
      durationMs: 1.5,
      caller: 'local',
    }
    expect(formatLogLine(JSON.stringify(facts))).toBe('13:34:56 GET /api/health 200 1.5 ms  local\n')
  })

  it('cannot control the terminal', () => {
    const line = JSON.stringify({
      level: 'warn',
      time: '2026-11-20T13:34:56.840Z',
      message: 'odd',
      path: '\u001b[2J\r\u202e',
    })
    expect(formatLogLine(line)).toBe('13:34:56 WARN odd path=�[2J��\n')
  })
})

describe('metrics', () => {
  it('are offered if they are enabled, to callers who may read', async () => {
    const without = await served()
    expect((await without.call('GET', '/metrics')).status).toBe(404)
    const { call, token } = await served({ env: { STUDIO_METRICS: 'on' }, local: false })
    expect((await call('GET', '/metrics')).status).toBe(401)
    const authorization = `Bearer ${await token(['read'])}`
    for (const path of ['/api/stories/41', '/api/stories/42', '/wp-login.php', '/%2e%2e/secret'])
      await call('GET', path, { headers: { authorization } })
    await call('BREW', '/api/health')
    const { text, headers } = await call('GET', '/metrics', { headers: { authorization } })
    expect(headers['content-type']).toMatch(/^text\/plain/)
    expect(text).toContain('studio_http_requests_total{method="GET",route="/api/stories/{id}",status="404"} 2')
    expect(text).toContain('route="unmatched"')
    expect(text).toContain('process_resident_memory_bytes')
    expect(text).not.toMatch(/wp-login|secret|BREW|stories\/4/)
    expectValidMetrics(text)
  })
})
