import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createProviderFetch } from '../../../src/access/services/people/provider-fetch'
import { startProxy } from '../../start-proxy'

async function listen(answer: RequestListener) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

describe('a request to the provider', () => {
  it('has its answer in full', async () => {
    const { url } = await listen((_request, response) => response.writeHead(201, { 'x-a': 'b' }).end('{"a":1}'))
    const response = await createProviderFetch(null)(url, {})
    expect([response.status, response.headers.get('x-a'), await response.json()]).toEqual([201, 'b', { a: 1 }])
  })

  it('fails when the answer is larger than any that makes sense', async () => {
    const { url } = await listen((_request, response) => response.end('x'.repeat(2 * 1024 * 1024)))
    await expect(createProviderFetch(null)(url, {})).rejects.toThrow('longer than 1048576 bytes')
  })

  it('follows no redirect', async () => {
    const { url } = await listen((_request, response) =>
      response.writeHead(302, { location: 'http://127.0.0.1:9' }).end(),
    )
    expect((await createProviderFetch(null)(url, {})).status).toBe(302)
  })

  it('goes through the proxy of the settings', async () => {
    const { url } = await listen((_request, response) => response.end('{}'))
    const proxy = await startProxy(url)
    const send = createProviderFetch({ http: proxy.url, https: null, except: '' })
    expect((await send('http://login.example.com/', {})).status).toBe(200)
    expect(proxy.requests).toMatchObject([{ host: 'login.example.com:80' }])
  })
})
