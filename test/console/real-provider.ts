import { freePort } from '../free-port'
import { type Answer, call } from '../http/served'
import { startProvider } from '../identity/provider'
import { type ConsoleServed, servedConsole } from './console-fixtures'

export interface Account {
  id: string
  roles?: string[]
  email?: string
  isVerified?: boolean
}

export interface RealProvider {
  issuer: string
  /** Who signs in when a browser comes. */
  account: Account | null
  close(): Promise<void>
}

export const CLIENT = { id: 'studio', secret: 'a-secret-of-the-client-of-the-tests' }

/** The certified `oidc-provider`, at which every browser signs in as `account` at once. */
export async function openRealProvider(publicUrl: string): Promise<RealProvider> {
  const opened = { account: null } as { account: Account | null }
  const provider = await startProvider({
    findPerson: () => opened.account && toClaims(opened.account),
    scope: 'openid profile email',
    configuration: {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [`${publicUrl}/console/oidc/callback`],
          post_logout_redirect_uris: [`${publicUrl}/console/sign-in`],
          grant_types: ['authorization_code', 'refresh_token'],
          backchannel_logout_uri: `${publicUrl}/console/oidc/backchannel-logout`,
          backchannel_logout_session_required: true,
        },
        {
          client_id: 'other',
          client_secret: 'another-secret-of-another-client',
          redirect_uris: ['http://127.0.0.1:9/callback'],
        },
      ],
      claims: { openid: ['sub', 'sid'], email: ['email', 'email_verified'], profile: ['roles'] },
      features: { backchannelLogout: { enabled: true } },
    },
  })
  return Object.assign(opened, { issuer: provider.issuer, close: provider.close })
}

function toClaims({ id, roles, email, isVerified = true }: Account) {
  return { sub: id, ...(roles && { roles }), ...(email && { email, email_verified: isVerified }) }
}

/** Cookies and redirects, as a browser handles them. */
export class TestBrowser {
  readonly #jars = new Map<string, Map<string, string>>()

  cookies(address: string): string {
    return [...(this.#jars.get(new URL(address).host) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  async request(
    method: string,
    address: string,
    more: { body?: string; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const { host, hostname, port, pathname, search } = new URL(address)
    const cookie = this.cookies(address)
    const form: Record<string, string> =
      more.body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await call({
      host: hostname,
      port: Number(port),
      method,
      path: `${pathname}${search}`,
      ...(more.body !== undefined && { body: more.body }),
      headers: { host, accept: 'text/html', ...form, ...(cookie && { cookie }), ...more.headers },
    })
    const jar = this.#jars.get(host) ?? new Map<string, string>()
    this.#jars.set(host, jar)
    for (const set of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!
      if (value === '' || /max-age=0/i.test(set)) jar.delete(name!)
      else jar.set(name!, value!)
    }
    return answer
  }

  /** Signs out at the provider, as another application of the person would lead to. */
  async endProviderSession(issuer: string): Promise<void> {
    const { text } = await this.request('GET', `${issuer}/session/end`)
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(text)![1]!
    const body = new URLSearchParams({ xsrf, logout: 'yes' }).toString()
    await this.request('POST', `${issuer}/session/end/confirm`, { body })
  }

  /** Follows redirects, also those of a page, until `isEnd`. Returns the last answer and its address. */
  async follow(
    address: string,
    isEnd: (address: string) => boolean = () => false,
  ): Promise<{ answer: Answer; address: string }> {
    let at = address
    for (let hops = 0; hops < 15; hops++) {
      if (isEnd(at)) return { answer: null as never, address: at }
      const answer = await this.request('GET', at)
      const refresh = /http-equiv="refresh" content="0;url=([^"]*)"/.exec(answer.text)?.[1]?.replaceAll('&amp;', '&')
      const target = (answer.headers['location'] as string | undefined) ?? refresh
      if (target === undefined) return { answer, address: at }
      at = new URL(target, at).href
    }
    throw new Error(`too many redirects to ${at}`)
  }
}

export interface SignInSite extends ConsoleServed {
  publicUrl: string
  provider: RealProvider
  signInWith(browser: TestBrowser, next?: string): Promise<{ answer: Answer; address: string }>
}

/** The environment of a service that people of a provider sign in to. */
export function providerEnv(issuer: string, publicUrl: string): Record<string, string> {
  return {
    STUDIO_PORT: new URL(publicUrl).port,
    STUDIO_OIDC_ISSUER: issuer,
    STUDIO_OIDC_CLIENT_ID: CLIENT.id,
    STUDIO_OIDC_CLIENT_SECRET: CLIENT.secret,
    STUDIO_PUBLIC_URL: publicUrl,
  }
}

/** A service with the real provider. */
export async function openSignInSite(given: { oidc?: object; clock?: { now(): number } } = {}): Promise<SignInSite> {
  const publicUrl = `http://127.0.0.1:${await freePort()}`
  const provider = await openRealProvider(publicUrl)
  const roles = { reader: ['staff'], editor: ['writers'], admin: ['owners'] }
  const service = await servedConsole({
    local: false,
    env: providerEnv(provider.issuer, publicUrl),
    config: { auth: { oidc: { label: 'Example', roles, ...given.oidc } } },
    ...(given.clock && { clock: given.clock }),
  })
  return {
    ...service,
    publicUrl,
    provider,
    signInWith: (browser, next = '/console/work') =>
      browser.follow(`${publicUrl}/console/oidc/sign-in?${new URLSearchParams({ next })}`),
  }
}
