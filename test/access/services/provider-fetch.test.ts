import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createProviderFetch } from '../../../src/access/services/people/provider-fetch'

async function listen(answer: RequestListener) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
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
    const asked: string[] = []
    const proxy = await listen((_request, response) => response.writeHead(500).end())
    proxy.server.on('connect', (request, socket) => {
      asked.push(request.url!)
      const { hostname, port } = new URL(url)
      const target = connect(Number(port), hostname, () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        target.pipe(socket).pipe(target)
      })
      target.on('error', () => socket.destroy())
      socket.on('error', () => target.destroy())
      onTestFinished(() => {
        target.destroy()
        socket.destroy()
      })
    })
    const send = createProviderFetch({ http: proxy.url, https: null, except: '' })
    expect((await send('http://login.example.com/', {})).status).toBe(200)
    expect(asked).toEqual(['login.example.com:80'])
  })
})
