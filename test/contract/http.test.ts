import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { firstJsonLine, openOnce, type Program, program } from './program'

interface Api {
  url: string
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; body: any; headers: Headers }>
}

async function served(studio: Program): Promise<Api> {
  const { url } = await firstJsonLine(studio.start(['serve', '--port', '0', '--json', '--quiet']))
  return {
    url,
    async call(method, path, body, headers = {}) {
      const response = await fetch(url + path, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        body: body === undefined ? undefined : JSON.stringify(body),
      })
      const text = await response.text()
      return { status: response.status, body: text ? JSON.parse(text) : null, headers: response.headers }
    },
  }
}

describe('the story API', () => {
  const shared = openOnce(async (atEnd) => served(await program(atEnd)))

  it('does over HTTP what the commands do', async () => {
    const api = await served(await program())
    expect((await api.call('GET', '/api/health')).body).toMatchObject({
      status: 'ok',
      timestamp: expect.stringMatching(/Z$/),
    })

    const imported = await api.call('POST', '/api/tracker/features/import', { featureId: 101 })
    expect(imported).toMatchObject({ status: 200, body: { feature: { id: 101 }, skipped: [] } })

    const found = await api.call('GET', '/api/search/fast?q=door&limit=3&type=devops')
    expect(found).toMatchObject({ status: 200, body: { query: 'door' } })
    expect(found.body.results).toHaveLength(3)

    const copied = await api.call('POST', '/api/stories/copy-sanitize', { id: 204 })
    expect(copied).toMatchObject({ status: 200, body: { id: 1, folderId: 1, sourceItemId: 204 } })
    expect((await api.call('GET', '/api/stories/1')).body.title).toBe(copied.body.title)
    expect((await api.call('GET', '/api/stories/saved')).body).toMatchObject([{ id: 1 }])
    expect((await api.call('GET', '/api/folders')).body).toEqual([
      { id: 1, name: 'Drafts', parentId: null, draftCount: 1 },
    ])

    const updated = await api.call('POST', '/api/helper/batch-update', { itemIds: [343, 344], fields: { priority: 1 } })
    expect(updated).toMatchObject({ status: 200, body: { requested: 2, applied: 2 } })
    expect((await api.call('GET', '/api/devops/items/343')).body).toMatchObject({ id: 343, priority: 1 })
    expect((await api.call('GET', '/api/helper/items?state=Active')).body.length).toBeGreaterThan(0)

    const brief = await api.call('POST', '/api/reporting/generate-briefing', {})
    expect(brief.body).toMatchObject({ mode: 'deterministic', markdown: expect.stringContaining('#101') })
    const single = await api.call('POST', '/api/tracker/workitems/import-single', { ids: [201, 99999] })
    expect(single.body).toMatchObject({ imported: [{ id: 201 }], failed: [{ id: 99999 }] })
  })

  it.each([
    ['GET', '/api/devops/items/99999', undefined, 404, 'not_found'],
    ['GET', '/api/stories/9', undefined, 404, 'not_found'],
    ['GET', '/api/stories/nine', undefined, 400, 'invalid'],
    ['GET', '/api/search/fast', undefined, 400, 'invalid'],
    ['GET', '/api/search/fast?q=', undefined, 400, 'invalid'],
    ['GET', '/api/search/fast?q=x&limit=201', undefined, 400, 'invalid'],
    ['GET', '/api/stories/saved?sort=random', undefined, 400, 'invalid'],
    ['POST', '/api/stories/copy-sanitize', {}, 400, 'invalid'],
    ['POST', '/api/stories/copy-sanitize', { id: 204, nope: 1 }, 400, 'invalid'],
    ['POST', '/api/helper/batch-update', { itemIds: [], updates: { state: 'Active' } }, 400, 'invalid'],
    ['GET', '/api/nothing', undefined, 404, 'not_found'],
    ['DELETE', '/api/health', undefined, 405, 'method_not_allowed'],
  ])('%s %s %j: %i %s', async (method, path, body, status, code) => {
    const answer = await shared().call(method, path, body)
    expect(answer).toMatchObject({
      status,
      body: { status: 'error', code, message: expect.any(String), details: expect.any(Array) },
    })
    expect(answer.body.requestId).toBe(answer.headers.get('x-request-id'))
  })

  it('refuses what is not JSON, and what is too much of it', async () => {
    const api = shared()
    const send = (headers: Record<string, string>, body: string) =>
      fetch(`${api.url}/api/tracker/features/import`, { method: 'POST', headers, body })
    expect((await send({ 'content-type': 'application/json' }, '{"featureId":')).status).toBe(400)
    expect((await send({ 'content-type': 'text/plain' }, '{"featureId":101}')).status).toBe(415)
    expect(
      (await send({ 'content-type': 'application/json' }, JSON.stringify({ featureId: 'x'.repeat(2_000_000) }))).status,
    ).toBe(413)
  })

  it('gives RFC 9457 to those who ask for it', async () => {
    const { status, body, headers } = await shared().call('GET', '/api/stories/9', undefined, {
      accept: 'application/problem+json',
    })
    expect(headers.get('content-type')).toContain('application/problem+json')
    expect(body).toMatchObject({ status, title: 'not_found', detail: 'There is no draft 9.', code: 'not_found' })
  })

  it('describes itself', async () => {
    const { body } = await shared().call('GET', '/openapi.json')
    expect(body).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } })
    for (const path of [
      '/api/health',
      '/api/search/fast',
      '/api/devops/items/{id}',
      '/api/stories/saved',
      '/api/stories/{id}',
      '/api/stories/copy-sanitize',
      '/api/helper/items',
      '/api/helper/batch-update',
      '/api/reporting/generate-briefing',
      '/api/tracker/features/import',
      '/api/tracker/workitems/import-single',
      '/api/appointments/auto-schedule',
      '/api/appointments',
      '/api/appointments/{id}/reschedule',
      '/api/appointments/{id}',
    ]) {
      expect(body.paths).toHaveProperty([path])
    }
  })
})

describe('the guard', () => {
  const statusWith = (url: string, headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      const { hostname, port } = new URL(url)
      request({ hostname, port, path: '/api/stories/saved', headers }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
        .on('error', reject)
        .end()
    })

  it('accepts the person at this machine, and no caller who only seems to be local', async () => {
    const { url } = await served(await program())
    const { host } = new URL(url)
    expect(await statusWith(url, { host })).toBe(200)
    expect(await statusWith(url, { host, origin: url })).toBe(200)
    expect(await statusWith(url, { host: 'rebound.example.com' })).toBe(403)
    expect(await statusWith(url, { host, origin: 'https://evil.example.com' })).toBe(403)
    expect(await statusWith(url, { host, origin: 'null' })).toBe(403)
    expect(await statusWith(url, { host, 'x-forwarded-for': '10.0.0.1' })).toBe(401)
    expect(await statusWith(url, { host, 'sec-fetch-site': 'cross-site' })).not.toBe(200)
  })

  it('requires a credential of every caller with --auth always', async () => {
    const studio = await program()
    const { url } = await firstJsonLine(studio.start(['serve', '--port', '0', '--json', '--auth', 'always']))
    expect((await fetch(`${url}/api/stories/saved`)).status).toBe(401)
    expect((await fetch(`${url}/api/health`)).status).toBe(200)
  })

  it('does not listen on other addresses without a credential', async () => {
    const studio = await program()
    const { exitCode, err } = await studio.run(['serve', '--host', '0.0.0.0', '--port', '0'])
    expect(exitCode).toBe(2)
    expect(err).toContain('--host 127.0.0.1')
  })
})

describe('the server', () => {
  // Windows has no signal that lets a process end by itself.
  it.skipIf(process.platform === 'win32')('stops on SIGTERM with exit 0', async () => {
    const studio = await program()
    const running = studio.start(['serve', '--port', '0', '--json'])
    const { event, url } = await firstJsonLine(running)
    expect(event).toBe('listening')
    expect((await fetch(`${url}/api/health`)).status).toBe(200)
    running.kill('SIGTERM')
    expect((await running).exitCode).toBe(0)
  })

  it('says which port is taken, and what to do', async () => {
    const studio = await program()
    const { url } = await firstJsonLine(studio.start(['serve', '--port', '0', '--json']))
    const { exitCode, err } = await studio.run(['serve', '--port', new URL(url).port])
    expect(exitCode).toBe(7)
    expect(err).toContain('--port 0')
  })
})
