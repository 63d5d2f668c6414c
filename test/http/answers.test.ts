import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { chooseEncoding, matchesEtag } from '../../src/http/answers/response-body'
import { touchWorkspace } from '../../src/items'
import { StudioError } from '../../src/kernel'
import { openMemoryDatabase } from '../../src/storage'
import { migrations } from '../../src/studio'
import { served } from './served'

async function withDraft(text = 'x') {
  const server = await served()
  const { body } = await server.call('POST', '/api/stories/save-draft', {
    body: { title: 'A draft', description: text },
  })
  return { ...server, path: `/api/stories/${body.id}`, id: body.id as number }
}

describe('a read of a single resource', () => {
  it('is not sent again to a caller who has it, until it changes', async () => {
    const { call, path, id } = await withDraft()
    const first = await call('GET', path)
    const version = first.headers['etag'] as string
    expect(version).toMatch(/^W\/"[\w-]+"$/)
    expect(first.headers['cache-control']).toBe('private, no-cache')
    const again = (condition: string) => call('GET', path, { headers: { 'if-none-match': condition } })
    for (const condition of [version, `"other", ${version}`, version.slice(2), '*']) {
      const known = await again(condition)
      expect(known).toMatchObject({
        status: 304,
        text: '',
        headers: { etag: version, 'cache-control': 'private, no-cache' },
      })
      expect(known.headers['x-request-id']).toBeTruthy()
    }
    expect(await again('W/"other"')).toMatchObject({ status: 200, text: first.text })
    await call('POST', '/api/stories/save-draft', { body: { id, title: 'Another title' } })
    const changed = await again(version)
    expect(changed).toMatchObject({ status: 200, body: { title: 'Another title' } })
    expect(changed.headers['etag']).not.toBe(version)
  })

  it('has the same version at any time', async () => {
    const { call } = await served()
    const looked = async () => (await call('GET', '/api/devops/items/204')).headers['etag']
    const [one, two] = [await looked(), await looked()]
    expect(one).toBe(two)
  })

  it('may be requested with HEAD', async () => {
    const { call, path } = await withDraft()
    const [whole, head] = [await call('GET', path), await call('HEAD', path)]
    expect(head).toMatchObject({ status: 200, text: '' })
    for (const name of ['etag', 'content-length', 'content-type']) expect(head.headers[name]).toBe(whole.headers[name])
  })

  it('is not cached by proxies, and neither is a list, which has a version too', async () => {
    const { call } = await withDraft()
    const { headers } = await call('GET', '/api/stories/saved')
    expect(headers['cache-control']).toBe('private, no-cache')
    const again = () => call('GET', '/api/stories/saved', { headers: { 'if-none-match': String(headers['etag']) } })
    expect((await again()).status).toBe(304)
    await call('POST', '/api/stories/save-draft', { body: { title: 'Another', description: '' } })
    expect((await again()).status).toBe(200)
  })
})

describe('matchesEtag', () => {
  it.each([
    [undefined, false],
    ['', false],
    ['W/"a"', true],
    ['"a"', true],
    ['"b", W/"a" , "c"', true],
    ['*', true],
    ['W/"ab"', false],
    ['a', false],
  ])('%s: %s', (condition, known) => {
    expect(matchesEtag(condition, 'W/"a"')).toBe(known)
  })
})

describe('a long answer', () => {
  it('is compressed with the encoding that the caller prefers', async () => {
    const { call, path } = await withDraft('word '.repeat(2_000))
    const plain = await call('GET', path)
    expect(plain.headers).not.toHaveProperty('content-encoding')
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync }
    for (const [accept, encoding] of [
      ['gzip', 'gzip'],
      ['gzip, deflate, br', 'br'],
      ['br;q=0.5, gzip', 'gzip'],
    ] as const) {
      const packed = await call('GET', path, { headers: { 'accept-encoding': accept } })
      expect(packed.headers).toMatchObject({
        'content-encoding': encoding,
        vary: 'Accept-Encoding',
        etag: plain.headers['etag'],
      })
      expect(Number(packed.headers['content-length'])).toBeLessThan(plain.text.length / 4)
      expect(unpack[encoding](packed.body).toString()).toBe(plain.text)
    }
    expect((await call('GET', path, { headers: { 'accept-encoding': 'gzip;q=0' } })).text).toBe(plain.text)
  })

  it('is not compressed if it is short', async () => {
    const { call, path } = await withDraft()
    const short = await call('GET', path, { headers: { 'accept-encoding': 'br' } })
    expect(short.headers).not.toHaveProperty('content-encoding')
    expect(short.headers['vary']).toBe('Accept-Encoding')
    expect(short.body.title).toBe('A draft')
  })

  it.each([
    [undefined, null],
    ['identity', null],
    ['*', 'br'],
    ['*;q=0', null],
    ['gzip, *;q=0', 'gzip'],
    ['deflate', null],
    ['GZIP', 'gzip'],
    ['br;q=0.2, gzip;q=0.8', 'gzip'],
    ['identity, br;q=0.5', null],
  ])('Accept-Encoding: %s', (accept, encoding) => {
    expect(chooseEncoding(accept)).toBe(encoding)
  })
})

describe('an error', () => {
  it.each([
    ['GET', '/nothing', undefined, 404, 'not_found'],
    ['GET', '/api/stories/9', undefined, 404, 'not_found'],
    ['GET', '/api/stories/nine', undefined, 400, 'invalid'],
    ['POST', '/api/stories/copy-sanitize', '{"id":', 400, 'invalid'],
    ['POST', '/api/stories/copy-sanitize', '[]', 400, 'invalid'],
    ['POST', '/api/stories/copy-sanitize', { id: 'x'.repeat(1024 * 1024) }, 413, 'payload_too_large'],
    ['TRACE', '/api/health', undefined, 405, 'method_not_allowed'],
  ])('%s %s has one body, or is a problem document', async (method, path, body, status, code) => {
    const { call } = await served()
    const shown = await call(method, path, { body })
    expect(shown).toMatchObject({
      status,
      body: { status: 'error', code, message: expect.any(String), details: expect.any(Array) },
    })
    expect(shown.body).toHaveProperty('hint')
    expect(shown.body.requestId).toBe(shown.headers['x-request-id'])
    const problem = await call(method, path, { body, headers: { accept: 'application/problem+json' } })
    expect(problem.headers['content-type']).toBe('application/problem+json')
    expect(problem.body).toMatchObject({ status, code, title: code, detail: shown.body.message, hint: shown.body.hint })
  })

  it.each([
    ['DELETE', '/api/health', 'GET, HEAD'],
    ['DELETE', '/api/stories/saved', 'GET, HEAD'],
    ['PATCH', '/api/stories/1', 'GET, HEAD, DELETE'],
    ['GET', '/api/stories/move', 'POST'],
    ['POST', '/openapi.json', 'GET, HEAD'],
  ])('of a method, %s %s, names the allowed ones', async (method, path, allow) => {
    const { call } = await served()
    const answer = await call(method, path)
    expect(answer.status).toBe(405)
    expect(String(answer.headers['allow']).split(', ').sort()).toEqual(allow.split(', ').sort())
  })

  it('has the request id of the caller, if that is valid', async () => {
    const { call } = await served()
    const idFor = async (id: string) =>
      (await call('GET', '/nothing', { headers: { 'x-request-id': id } })).body.requestId
    expect(await idFor('order-7.a_B')).toBe('order-7.a_B')
    for (const odd of ['a b', 'x'.repeat(65), '"><script>']) expect(await idFor(odd)).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('is also the answer to bytes that are not a request', async () => {
    const { raw, port } = await served()
    const bodyOf = (said: string) => JSON.parse(said.slice(said.indexOf('\r\n\r\n') + 4))
    const garbage = await raw('garbage\r\n\r\n')
    expect(garbage).toMatch(/^HTTP\/1.1 400 /)
    expect(bodyOf(garbage)).toMatchObject({ status: 'error', code: 'invalid' })
    const big = await raw(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Big: ${'x'.repeat(200_000)}\r\n\r\n`)
    expect(big).toMatch(/^HTTP\/1.1 431 /)
    expect(bodyOf(big)).toMatchObject({ code: 'headers_too_large', requestId: /X-Request-Id: (\S+)/.exec(big)![1] })
    const odd = await raw(`GET /a\\b HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`)
    expect(odd).toMatch(/^HTTP\/1.1 400 /)
    expect(bodyOf(odd)).toMatchObject({ code: 'invalid', requestId: /X-Request-Id: (\S+)/.exec(odd)![1] })
  })

  it.each(['/api/stories/move', '/mcp'])('is 413 for a body in chunks that grows too large: %s', async (path) => {
    const { raw, port } = await served()
    const chunk = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n`
    const said = await raw(`${head}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunk.repeat(17)}0\r\n\r\n`)
    expect(said).toMatch(/^HTTP\/1.1 413 /)
  })

  it('is 400 for a body in very many chunks, each of which costs more than its byte', async () => {
    const { raw, port, token } = await served()
    const head = `POST /api/stories/move HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${await token(['write'])}\r\n`
    const chunks = '1\r\n \r\n'.repeat(5_000)
    const said = await raw(
      `${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunks}0\r\n\r\n`,
    )
    expect(said).toMatch(/^HTTP\/1\.1 400 /)
    expect(said).toContain('The body comes in more than 4096 chunks.')
  })

  it('is sent to a caller without a credential before the body in chunks has arrived', async () => {
    const { raw, port } = await served()
    const head = `POST /api/appointments/auto-schedule HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n`
    const said = await raw(`${head}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\n{"a":\r\n`)
    expect(said).toMatch(/^HTTP\/1.1 401 /)
  })
})

describe('readiness', () => {
  it('checks the database, the tracker and the model', async () => {
    const { call } = await served()
    expect(await call('GET', '/api/ready')).toMatchObject({
      status: 200,
      body: {
        status: 'degraded',
        database: { status: 'ok' },
        tracker: { status: 'ok' },
        furtherTrackers: [],
        model: { status: 'failed', hint: expect.stringContaining('http://127.0.0.1:9') },
      },
    })
  })

  it('is 503 where nothing can be written, and names no file of the machine', async () => {
    const db = await openMemoryDatabase(migrations)
    const file = '/srv/studio.db'
    const requireWritable = async () => {
      throw new StudioError('read_only', `Nothing can be written. Cannot use ${file}: permission was denied.`, {
        places: [{ text: file, name: 'a file of studio' }],
      })
    }
    const { call } = await served({ db: { ...db, requireWritable } })
    expect(await call('GET', '/api/ready')).toMatchObject({
      status: 503,
      body: {
        message:
          'The service is not ready. Nothing can be written. Cannot use a file of studio: permission was denied.',
      },
    })
    expect((await call('GET', '/api/stories/saved')).status).toBe(200)
  })

  it('is 503 from a write that found the disk full until a test write succeeds', async () => {
    const db = await openMemoryDatabase(migrations)
    let isFull = true
    let testWrites = 0
    const write: typeof db.write = async (work, options) => {
      if ((work as unknown) === touchWorkspace) testWrites++
      if (isFull) throw new StudioError('disk_full', 'Cannot use the database: the disk is full.')
      return db.write(work, options)
    }
    const clock = { at: Date.now() }
    const { call } = await served({ db: { ...db, write }, clock: { now: () => clock.at } })
    const probe = async () => {
      clock.at += 6_000
      const { status, body, headers } = await call('GET', '/api/ready')
      return [status, headers['retry-after'], body.message ?? body.database.status]
    }
    expect(await probe()).toEqual([200, undefined, 'ok'])
    expect(testWrites).toBe(0)
    const refused = await call('POST', '/api/folders', { body: { name: 'a' } })
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([503, 'disk_full', '5'])
    const full = [
      503,
      '5',
      'The service is not ready. Nothing can be written. Cannot use the database: the disk is full.',
    ]
    expect([await probe(), await probe()]).toEqual([full, full])
    expect((await call('GET', '/api/folders')).status).toBe(200)
    isFull = false
    expect(await probe()).toEqual([200, undefined, 'ok'])
    expect(await probe()).toEqual([200, undefined, 'ok'])
    expect(testWrites).toBe(3)
  })

  it('is 503 without the database', async () => {
    const { call, studio } = await served()
    await studio.db.close()
    const answer = await call('GET', '/api/ready')
    expect(answer).toMatchObject({
      status: 503,
      body: { code: 'unavailable', message: expect.stringContaining('closed') },
    })
    expect(answer.headers['retry-after']).toBe('5')
    expect((await call('GET', '/api/health')).status).toBe(200)
  })
})
