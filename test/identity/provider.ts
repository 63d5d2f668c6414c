import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { onTestFinished } from 'vitest'

export interface TestProvider {
  issuer: string
  /** Follows pages and submits their forms as a person does, with the values for its fields. Returns the last page or redirect. */
  browse(url: string, fields: Record<string, string>): Promise<Page>
}

export interface Page {
  url: string
  text: string
}

/** A certified provider of OpenID Connect on this machine, with the clients that the test registers. It is closed at the end of the test. */
export async function startProvider(configuration: Record<string, unknown>): Promise<TestProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    cookies: { keys: ['test'] },
    ...configuration,
  })
  server.on('request', provider.callback())
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { issuer, browse: createBrowser(issuer) }
}

/** Keeps cookies, and ends where no form is left or where a redirect leads to another host. */
function createBrowser(origin: string): TestProvider['browse'] {
  const cookies = new Map<string, string>()
  const request = async (url: string, body?: URLSearchParams): Promise<Page> => {
    const response = await fetch(url, {
      method: body ? 'POST' : 'GET',
      ...(body && { body }),
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '), accept: 'text/html' },
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    const text = await response.text()
    if (location === null) return { url, text }
    const next = new URL(location, url)
    return next.origin === origin ? request(next.href) : { url: next.href, text }
  }
  return async (start, fields) => {
    let page = await request(start)
    for (let steps = 0; steps < 10; steps++) {
      const action = /<form[^>]*action="([^"]+)"/i.exec(page.text)?.[1]
      if (action === undefined) return page
      const body = new URLSearchParams()
      for (const [input] of page.text.matchAll(/<input[^>]*>/gi)) {
        const name = /name="([^"]+)"/.exec(input)?.[1]
        if (name === undefined) continue
        body.set(name, fields[name] ?? /value="([^"]*)"/.exec(input)?.[1] ?? '')
      }
      page = await request(new URL(action.replaceAll('&amp;', '&'), page.url).href, body)
    }
    return page
  }
}
