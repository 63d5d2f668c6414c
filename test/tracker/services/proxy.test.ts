import { describe, expect, it, onTestFinished } from 'vitest'
import type { ProxySettings } from '../../../src/credentials'
import { fixedToken } from '../../../src/credentials/token-source'
import { requestDefaults } from '../../../src/tracker/azure-devops/azure-devops-tracker'
import type { HttpRequest } from '../../../src/tracker/services/requests/http-client'
import { openHttpClient } from '../../../src/tracker/services/requests/http-client'
import { defaultLimits } from '../../../src/tracker/services/requests/rate-limiter'
import { parseTrackerAddress } from '../../../src/tracker/services/tracker-address'
import { startProxy } from '../../start-proxy'
import { errorOf, never } from '../azure-devops/fixtures'
import { startStub } from '../azure-devops/stub-server'

const ask: HttpRequest = { method: 'GET', path: '/_apis/projects' }

function exchangeThrough(url: string, proxy: ProxySettings | null) {
  const http = openHttpClient({
    address: parseTrackerAddress(url),
    ...requestDefaults,
    tokenSource: fixedToken('secret-token'),
    proxy,
    limits: defaultLimits,
    now: () => Date.now(),
  })
  onTestFinished(() => http.close())
  return http
}

const through = (url: string, except = ''): ProxySettings => ({ http: url, https: null, except: except })

describe('a proxy', () => {
  it('is used for requests to another machine, with its own credentials', async () => {
    const stub = await startStub(() => ({ json: {} }))
    const proxy = await startProxy(stub.url)
    const http = exchangeThrough('http://tracker.example/works', through(proxy.url))
    expect((await http.send(ask, never)).status).toBe(200)
    const authorization = `Basic ${Buffer.from('ana:p@ss').toString('base64')}`
    expect(proxy.requests).toEqual([{ host: 'tracker.example:80', authorization }])
    expect(stub.requests[0]!.headers).toMatchObject({ host: 'tracker.example' })
    expect(stub.requests[0]!.headers).not.toHaveProperty('proxy-authorization')
  })

  it.each([
    ['ana:50%off', 'ana:50%off'],
    ['ana:%e2%82%ac%zz', 'ana:€%zz'],
    ['ana', 'ana:'],
    [':50%off', ':50%off'],
  ])('gets the credentials of http://%s@proxy as %s', async (credentials, plain) => {
    const stub = await startStub(() => ({ json: {} }))
    const proxy = await startProxy(stub.url)
    const address = `http://${credentials}@${new URL(proxy.url).host}`
    await exchangeThrough('http://tracker.example/works', through(address)).send(ask, never)
    const authorization = `Basic ${Buffer.from(plain).toString('base64')}`
    expect(proxy.requests).toEqual([{ host: 'tracker.example:80', authorization }])
  })

  it('is named in the error if it refuses the tunnel', async () => {
    const proxy = await startProxy(null)
    const error = await errorOf(exchangeThrough('http://tracker.example/works', through(proxy.url)).send(ask, never))
    const { host } = new URL(proxy.url)
    expect(error).toMatchObject({
      code: 'tracker_unavailable',
      effect: 'none',
      message: `The proxy ${host} does not let requests through to the tracker tracker.example/works (407).`,
    })
    expect(error.hint).toContain('NO_PROXY')
    expect(`${error.message} ${error.hint}`).not.toMatch(/ana|p%40ss|p@ss/)
  })

  it('is not used for this machine and for hosts in NO_PROXY', async () => {
    const stub = await startStub(() => ({ json: {} }))
    const proxy = await startProxy(null)
    expect((await exchangeThrough(stub.url, through(proxy.url)).send(ask, never)).status).toBe(200)
    const direct = exchangeThrough('http://tracker.invalid/works', through(proxy.url, '.invalid'))
    expect(await errorOf(direct.send(ask, never))).toMatchObject({
      message: 'The tracker tracker.invalid/works cannot be reached: unknown host name.',
      hint: 'The address is http://tracker.invalid/works, from the setting STUDIO_TRACKER_URL.',
    })
    expect(proxy.requests).toEqual([])
  })

  it('of the environment is used only if the settings contain it', async () => {
    const stub = await startStub(() => ({ json: {} }))
    const proxy = await startProxy(stub.url)
    process.env['HTTP_PROXY'] = proxy.url
    onTestFinished(() => {
      delete process.env['HTTP_PROXY']
    })
    await errorOf(exchangeThrough('http://tracker.invalid/works', null).send(ask, never))
    await errorOf(
      exchangeThrough('http://tracker.invalid/works', { http: null, https: null, except: '' }).send(ask, never),
    )
    expect(proxy.requests).toEqual([])
  })
})
