import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider } from 'oidc-provider'
import { onTestFinished } from 'vitest'
import { createMemoryAdapter } from './memory-adapter'

export interface TestProvider {
  issuer: string
  /** Follows pages and submits their forms as a person does, with the values for its fields. Returns the last page or redirect. */
  browse(url: string, fields: Record<string, string>): Promise<Page>
  close(): Promise<void>
}

interface Page {
  url: string
  text: string
}

interface ProviderOptions {
  /** The claims of who signs in when a browser comes; null if that person refuses. */
  findPerson(): ({ sub: string } & Record<string, unknown>) | null
  /** What the person grants to an application at once. */
  scope: string
  configuration: Record<string, unknown>
}

/** A certified provider of OpenID Connect on this machine, at which every browser signs in at once. It is closed at the end of the test. */
export async function startProvider({ findPerson, scope, configuration }: ProviderOptions): Promise<TestProvider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const { features, ...others } = configuration
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    adapter: createMemoryAdapter(),
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'k1' }] },
    cookies: { keys: ['for the tests'] },
    features: { ...(features as object | undefined), devInteractions: { enabled: false } },
    issueRefreshToken: () => true,
    interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount(_ctx: unknown, id: string) {
      const person = findPerson()
      return person?.sub === id ? { accountId: id, claims: () => person } : undefined
    },
    async loadExistingGrant({ oidc }: any) {
      const grant = new oidc.provider.Grant({ accountId: oidc.session.accountId, clientId: oidc.client.clientId })
      grant.addOIDCScope(scope)
      await grant.save()
      return grant
    },
    ttl: { AccessToken: 3600, IdToken: 3600, Session: 3600, Grant: 3600, Interaction: 600, RefreshToken: 3600 },
    ...others,
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url!.startsWith('/interaction/')) return void answer(request, response)
    const person = findPerson()
    const result = person === null ? { error: 'access_denied' } : { login: { accountId: person.sub } }
    void provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
  })
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  onTestFinished(close)
  return { issuer, browse: createBrowser(issuer), close }
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
