import { describe, expect, it } from 'vitest'
import { served } from './served'

const EXEMPT = ['/api/health', '/openapi.json', '/api/agent', '/llms.txt']
const PATHS = [...EXEMPT, '/api/stories/saved', '/api/appointments', '/api/tokens', '/mcp', '/metrics', '/nothing/here']

describe('a foreign host name', () => {
  it('is refused on every path, for every caller, and before anything is read', async () => {
    const { call, port, token } = await served()
    const admin = await token(['admin'])
    for (const path of PATHS) {
      for (const credential of [null, `Bearer ${admin}`, 'Bearer nonsense']) {
        for (const host of ['evil.example', `evil.example:${port}`, 'localhost', `localhost:${port + 1}`]) {
          const refused = await call('GET', path, {
            headers: credential === null ? { host } : { host, authorization: credential },
          })
          expect([path, host, refused.status]).toEqual([path, host, 403])
          expect(refused.body).toMatchObject({
            status: 'error',
            code: 'forbidden',
            hint: expect.stringContaining('--allow-host'),
          })
          expect(refused.body.requestId).toBe(refused.headers['x-request-id'])
        }
      }
      const control = await call('GET', path, { headers: { host: `localhost:${port}` } })
      expect(control.status).not.toBe(403)
    }
  })

  it('is rejected also if it occurs twice, is missing, or is in the target', async () => {
    const { raw, port } = await served()
    const own = `Host: 127.0.0.1:${port}`
    const end = 'Connection: close\r\n\r\n'
    expect(await raw(`GET /api/health HTTP/1.1\r\n${own}\r\nHost: evil.example\r\n${end}`)).toMatch(/^HTTP\/1.1 403 /)
    expect(await raw(`GET /api/health HTTP/1.1\r\n${end}`)).toMatch(/^HTTP\/1.1 403 /)
    expect(await raw(`GET /api/health HTTP/1.0\r\n\r\n`)).toMatch(/^HTTP\/1.1 403 /)
    expect(await raw(`GET http://evil.example/api/health HTTP/1.1\r\n${own}\r\n${end}`)).toMatch(/^HTTP\/1.1 403 /)
    expect(await raw(`GET /api/health HTTP/1.1\r\n${own}\r\n${end}`)).toMatch(/^HTTP\/1.1 200 /)
    expect(await raw(`GET http://127.0.0.1:${port}/api/health HTTP/1.1\r\n${own}\r\n${end}`)).toMatch(/^HTTP\/1.1 200 /)
  })
})

describe('a page', () => {
  it('of another origin is rejected on every path, whatever its credential is', async () => {
    const { call, port, token } = await served()
    const authorization = `Bearer ${await token(['admin'])}`
    for (const path of PATHS) {
      for (const origin of [
        'https://evil.example',
        'null',
        `http://127.0.0.1:${port + 1}`,
        `http://localhost:${port}`,
        `https://127.0.0.1:${port}`,
      ]) {
        const refused = await call('GET', path, { headers: { host: `127.0.0.1:${port}`, origin, authorization } })
        expect([path, origin, refused.status]).toEqual([path, origin, 403])
        expect(Object.keys(refused.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
      }
      const control = await call('GET', path, {
        headers: { host: `127.0.0.1:${port}`, origin: `http://127.0.0.1:${port}` },
      })
      expect(control.status).not.toBe(403)
    }
  })

  it('is not allowed by a preflight to call', async () => {
    const { call } = await served()
    const asked = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
    const refused = await call('OPTIONS', '/api/stories/save-draft', { headers: asked })
    expect(refused.status).toBe(403)
    expect(refused.headers).not.toHaveProperty('access-control-allow-origin')
  })

  it('cannot send a form, nor make a change without a body', async () => {
    const { call, url } = await served()
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '5' }
    const save = (headers: Record<string, string>, body?: string) =>
      call('POST', '/api/stories/save-draft', { headers, body })
    expect((await save(form, 'id=12')).status).toBe(415)
    expect((await save({ 'content-type': 'text/plain' }, '{}')).status).toBe(415)
    expect((await call('DELETE', '/api/stories/1', { headers: { origin: url } })).status).toBe(401)
    expect((await save({}, '{}')).status).toBe(200)
    expect((await call('DELETE', '/api/stories/1')).status).toBe(200)
  })

  it('of another site is recognized by its headers, and then needs a token', async () => {
    const { call } = await served()
    for (const site of ['cross-site', 'same-site'])
      expect((await call('GET', '/api/stories/saved', { headers: { 'sec-fetch-site': site } })).status).toBe(401)
    for (const site of ['same-origin', 'none'])
      expect((await call('GET', '/api/stories/saved', { headers: { 'sec-fetch-site': site } })).status).toBe(200)
  })
})

describe('a call through a proxy', () => {
  it.each(['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP', 'Via', 'CF-Connecting-IP'])(
    'is not local: %s',
    async (name) => {
      const { call, token } = await served()
      const refused = await call('GET', '/api/stories/saved', { headers: { [name]: '127.0.0.1' } })
      expect(refused).toMatchObject({ status: 401, body: { message: expect.stringContaining('through a proxy') } })
      const authorization = `Bearer ${await token(['read'])}`
      expect(
        (await call('GET', '/api/stories/saved', { headers: { [name]: '127.0.0.1', authorization } })).status,
      ).toBe(200)
      expect((await call('GET', '/api/health', { headers: { [name]: '127.0.0.1' } })).status).toBe(200)
    },
  )

  it('may use an allowed name, and is then not local', async () => {
    const { call, port, token } = await served({ env: { STUDIO_ALLOWED_HOSTS: 'docks.example' } })
    const under = (host: string, more = {}) => call('GET', '/api/stories/saved', { headers: { host, ...more } })
    const authorization = `Bearer ${await token(['read'])}`
    expect((await under('docks.example')).status).toBe(401)
    expect((await under('docks.example', { authorization })).status).toBe(200)
    expect((await under('docks.example', { authorization, origin: 'https://docks.example' })).status).toBe(200)
    expect((await under('docks.example', { authorization, origin: 'https://evil.example' })).status).toBe(403)
    expect((await under('evil.example', { authorization })).status).toBe(403)
    expect((await under(`127.0.0.1:${port}`)).status).toBe(200)
  })
})

describe('a server with --auth always', () => {
  it('rejects callers without a token, except on public paths', async () => {
    const { call, token } = await served({ local: false })
    for (const path of EXEMPT) expect([path, (await call('GET', path)).status]).toEqual([path, 200])
    for (const path of ['/docs/page.css', '/docs/start.js', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js'])
      expect([path, (await call('GET', path)).status]).toEqual([path, 200])
    for (const path of [
      '/api/stories/saved',
      '/api/ready',
      '/api/tokens',
      '/api/appointments',
      '/.well-known/api-catalog',
    ])
      expect([path, (await call('GET', path)).status]).toEqual([path, 401])
    const authorization = `Bearer ${await token(['read'])}`
    for (const path of ['/api/stories/saved', '/.well-known/api-catalog'])
      expect((await call('GET', path, { headers: { authorization } })).status).toBe(200)
  })
})
