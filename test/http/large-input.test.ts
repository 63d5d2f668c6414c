import { describe, expect, it } from 'vitest'
import { served } from './served'

const ROUTE = '/api/stories/save-draft'
const fields = (count: number) => Array.from({ length: count }, (_, i) => `n${i}`)

describe('a body with names that the call does not take', () => {
  it('is refused with the first of them and the number of the others', async () => {
    const { call } = await served()
    const { status, body } = await call('POST', ROUTE, {
      body: Object.fromEntries(fields(1_000).map((name) => [name, 1])),
    })
    expect({ status, count: body.details.length }).toEqual({ status: 400, count: 21 })
    expect(body.details[0]).toEqual({ path: 'n0', message: 'is not a field of this call' })
    expect(body.details.at(-1)).toEqual({ path: '', message: '980 more errors are not listed' })
    expect(body.message).toMatch(/; 980 more errors are not listed$/)
  })

  it.each([
    ['in the body', (many: object) => many],
    ['in an object of the body', (many: object) => ({ title: 'x', updates: many })],
    ['in a list of the body', (many: object) => ({ title: 'x', tags: [1, many] })],
  ])('is not looked up in a schema where there are too many %s', async (_where, bodyOf) => {
    const { call } = await served()
    const body = bodyOf(Object.fromEntries(fields(60_000).map((name) => [name, 1])))
    expect(await call('POST', ROUTE, { body })).toMatchObject({
      status: 400,
      body: { code: 'too_complex', message: 'The JSON has an object with more than 2000 fields.', details: [] },
    })
  })

  it('is named in part where a name is long', async () => {
    const { call } = await served()
    const { status, text } = await call('POST', ROUTE, { body: { ['n'.repeat(500_000)]: 1 } })
    expect({ status, length: text.length < 2_000 }).toEqual({ status: 400, length: true })
  })
})

describe('JSON of many levels', () => {
  const deep = '['.repeat(200_000) + ']'.repeat(200_000)

  it.each([ROUTE, '/mcp', '/console/run/drafts.save'])('is refused by %s', async (path) => {
    const { call, url } = await served()
    for (const body of [`{"title":${deep}}`, deep])
      expect(await call('POST', path, { body, headers: { origin: url } })).toMatchObject({
        status: 400,
        body: { code: 'too_complex', message: 'The JSON has more than 64 levels of lists and objects.' },
      })
  })

  it('does not count what is quoted', async () => {
    const { call } = await served()
    const description = `${'[{'.repeat(100)}\\"[[`
    expect(await call('POST', ROUTE, { body: { title: 'A', description } })).toMatchObject({ status: 200 })
  })
})

describe('a query of many parameters', () => {
  it.each(['/api/folders', '/console', '/openapi.json', '/nothing'])('is refused by %s', async (path) => {
    const { call } = await served()
    expect(await call('GET', `${path}?${fields(15_000).join('&')}`)).toMatchObject({
      status: 400,
      body: { code: 'too_complex', message: 'The query has 15000 fields. A query may have 2000.' },
    })
  })
})

describe('the forms of the console', () => {
  const form = (url: string, type = 'application/x-www-form-urlencoded') => ({
    ...{ origin: url, 'sec-fetch-site': 'same-origin', 'content-type': type },
  })

  it.each(['sign-in', 'sign-out'])('take little from callers who are not known: %s', async (name) => {
    const { call, url } = await served()
    const body = `credential=${'x'.repeat(20_000)}`
    const refused = { status: 413, body: { code: 'payload_too_large', message: 'The body is larger than 16 KiB.' } }
    expect(await call('POST', `/console/${name}`, { body, headers: form(url) })).toMatchObject(refused)
  })

  it('refuse an unknown caller before they read its body', async () => {
    const { raw, port, url } = await served({ local: false })
    const host = `127.0.0.1:${port}`
    // The body never comes.
    const head = [`POST /console/run/drafts.save HTTP/1.1`, `Host: ${host}`, `Origin: ${url}`, 'Content-Length: 900000']
    const said = await raw([...head, 'Content-Type: application/x-www-form-urlencoded', '', ''].join('\r\n'))
    expect(said).toMatch(/^HTTP\/1.1 401 /)
  })

  it('have a limit of fields and of levels', async () => {
    const { call, url, token } = await served()
    const headers = { ...form(url), authorization: `Bearer ${await token(['write'])}` }
    const send = (body: string) => call('POST', '/console/run/views.save', { body, headers })
    const many = await send(fields(2_001).join('&'))
    expect([many.status, many.text]).toEqual([400, expect.stringContaining('The form has 2001 fields.')])
    const deep = await send(`${'a.'.repeat(100_000)}b=1`)
    expect([deep.status, deep.text]).toEqual([400, expect.stringContaining('more than 8 levels')])
  })
})
