import { describe, expect, it } from 'vitest'
import { served } from './served'

/** The names that every object of JavaScript has. */
const inherited = [...Object.getOwnPropertyNames(Object.prototype)].sort()
const unknown = inherited.map((path) => ({ path, message: 'is not a field of this call' }))
const sorted = (details: { path: string }[]) => [...details].sort((a, b) => (a.path < b.path ? -1 : 1))

/** As JSON: in a literal, `__proto__` would be the prototype. */
const body = `{${inherited.map((name) => `${JSON.stringify(name)}:1.5`).join(',')}}`
const query = inherited.map((name) => `${name}=1`).join('&')

describe('names that every object has', () => {
  it('are unknown fields of a body', async () => {
    const { call } = await served()
    const { status, body: refused } = await call('POST', '/api/folders', { body })
    expect({ status, details: sorted(refused.details).slice(0, inherited.length) }).toMatchObject({
      status: 400,
      details: sorted([...unknown, { path: 'name', message: 'is required' }]).slice(0, inherited.length),
    })
    expect(refused.message).not.toContain('[native code]')
  })

  it.each(['/api/folders', '/api/helper/items'])('are unknown parameters of a query: %s', async (path) => {
    const { call } = await served()
    const refused = await call('GET', `${path}?${query}`)
    expect({ status: refused.status, details: sorted(refused.body.details) }).toEqual({ status: 400, details: unknown })
  })

  it('are unknown fields of a form and of a page', async () => {
    const { call, url, token } = await served()
    const headers = {
      origin: url,
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Bearer ${await token(['write'])}`,
    }
    for (const form of [query, inherited.map((name) => `${name}.${name}=1`).join('&')]) {
      const { status, text } = await call('POST', '/console/run/folders.create', { body: form, headers })
      expect([status, text]).toEqual([400, expect.stringContaining('is not a field of this call')])
      expect(text).not.toContain('native code')
    }
    for (const page of ['', '/work', '/reports', '/settings/system', '/sign-in'])
      expect([page, (await call('GET', `/console${page}?${query}`, { headers: { ...headers } })).status]).not.toEqual([
        page,
        500,
      ])
    for (const name of inherited) {
      expect((await call('POST', `/console/run/${name}`, { body: 'a=1', headers })).status).toBe(404)
      expect((await call('GET', `/console/assets/x/${name}`)).status).toBe(404)
      expect((await call('GET', `/console?done=${name}`, { headers })).text).not.toContain('native code')
    }
  })

  it('are headers without a meaning', async () => {
    const { call } = await served()
    const headers = Object.fromEntries(inherited.filter((name) => name !== '__proto__').map((name) => [name, '1']))
    const own = Object.defineProperty(headers, '__proto__', { value: '1', enumerable: true })
    expect((await call('GET', '/api/folders', { headers: own })).status).toBe(200)
  })

  it('are no names of tools, of actions or of arguments', async () => {
    const { call } = await served()
    const ask = (method: string, params: unknown) =>
      call('POST', '/mcp', {
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }).replaceAll('"ARGUMENTS"', body),
        headers: { accept: 'application/json, text/event-stream' },
      })
    for (const name of inherited) {
      expect((await ask('tools/call', { name, arguments: {} })).text).toContain(`There is no tool ${name}.`)
      const { text } = await ask('tools/call', { name: 'manage_folders', arguments: { action: name } })
      expect(text).not.toContain('native code')
      expect((await ask('prompts/get', { name })).text).not.toContain('native code')
    }
    const { text } = await ask('tools/call', { name: 'fetch_work_items', arguments: 'ARGUMENTS' })
    expect(text).not.toContain('native code')
    expect(text).toMatch(/isError|error/)
  })
})
