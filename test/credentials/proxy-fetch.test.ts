import { describe, expect, it } from 'vitest'
import { createProxyFetch } from '../../src/credentials'
import { startProxy } from '../start-proxy'
import { startStub } from '../tracker/azure-devops/stub-server'

describe('a request of a sign-in', () => {
  it('goes through the proxy of the settings', async () => {
    const provider = await startStub(() => ({ json: {} }))
    const proxy = await startProxy(provider.url)
    const send = createProxyFetch({ http: proxy.url, https: null, except: '' })
    expect((await send('http://login.example.com/token', {})).status).toBe(200)
    expect(proxy.requests).toMatchObject([{ host: 'login.example.com:80' }])
  })

  it.each(['127.0.0.1', 'localhost'])('goes to %s directly, because no proxy reaches it', async (host) => {
    const provider = await startStub(() => ({ json: {} }))
    const proxy = await startProxy(null)
    const send = createProxyFetch({ http: proxy.url, https: null, except: '' })
    const { port } = new URL(provider.url)
    expect((await send(`http://${host}:${port}/token`, {})).status).toBe(200)
    expect(proxy.requests).toEqual([])
  })

  it('goes to the hosts of NO_PROXY directly', async () => {
    const proxy = await startProxy(null)
    const send = createProxyFetch({ http: proxy.url, https: null, except: '.invalid' })
    await expect(send('http://login.invalid/token', {})).rejects.toMatchObject({ cause: { code: 'ENOTFOUND' } })
    expect(proxy.requests).toEqual([])
  })

  it('follows no redirect', async () => {
    const provider = await startStub(() => ({ status: 302, json: {}, headers: { location: 'http://127.0.0.1:9' } }))
    expect((await createProxyFetch(null)(provider.url, {})).status).toBe(302)
  })
})
