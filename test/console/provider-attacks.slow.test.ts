import { generateKeyPair, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { freePort } from '../free-port'
import { servedConsole } from './console-fixtures'
import { type ForgedProvider, openForgedProvider } from './forged-provider'
import { CLIENT, providerEnv, TestBrowser } from './real-provider'

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

async function openSite(given: Parameters<typeof openForgedProvider>[0] = {}) {
  const provider = await openForgedProvider(given)
  const publicUrl = `http://127.0.0.1:${await freePort()}`
  const lines: string[] = []
  const write = (message: string, facts?: object) => lines.push(message, JSON.stringify(facts ?? {}))
  const service = await servedConsole({
    local: false,
    env: providerEnv(provider.issuer, publicUrl),
    config: { auth: { oidc: { roles: { reader: ['staff'] } } } },
    log: { debug: write, info: write, warn: write, error: write },
  })
  /** Takes a browser to the provider. Returns the parameters that it brings there. */
  const begin = async (browser: TestBrowser, next = '/console/work') => {
    const address = `${publicUrl}/console/oidc/sign-in?next=${encodeURIComponent(next)}`
    const { headers } = await browser.request('GET', address)
    const parameters = new URL(headers['location'] as string).searchParams
    provider.nonce = parameters.get('nonce')!
    return parameters
  }
  const callback = (browser: TestBrowser, parameters: Record<string, string>) =>
    browser.request('GET', `${publicUrl}/console/oidc/callback?${new URLSearchParams(parameters)}`)
  const right = (parameters: URLSearchParams) => ({
    code: 'the-code',
    state: parameters.get('state')!,
    iss: provider.issuer,
  })
  const isSignedIn = (browser: TestBrowser) => browser.cookies(publicUrl).includes('studio_session')
  return { provider, publicUrl, service, begin, callback, right, isSignedIn, lines }
}

describe('a request to the provider', () => {
  it('has PKCE, a state and a nonce, none of which is used twice', async () => {
    const { begin, publicUrl } = await openSite()
    const [first, second] = [await begin(new TestBrowser()), await begin(new TestBrowser())]
    expect(Object.fromEntries(first)).toMatchObject({
      response_type: 'code',
      client_id: 'studio',
      code_challenge_method: 'S256',
      redirect_uri: `${publicUrl}/console/oidc/callback`,
    })
    for (const name of ['state', 'nonce', 'code_challenge']) expect(first.get(name)).not.toBe(second.get(name))
  })
})

describe('an answer of the provider', () => {
  it('signs the browser in that began', async () => {
    const { begin, callback, right, isSignedIn, provider } = await openSite()
    const browser = new TestBrowser()
    const { status } = await callback(browser, right(await begin(browser)))
    expect([status, isSignedIn(browser)]).toEqual([200, true])
    expect(provider.received[0]!.get('code_verifier')).toMatch(/^[\w-]{43,}$/)
  })

  type Change = (right: Record<string, string>) => Record<string, string>
  const without =
    (name: string): Change =>
    ({ [name]: _, ...rest }) =>
      rest
  it.each<[string, Change]>([
    ['without a state', without('state')],
    ['with another state', (right) => ({ ...right, state: 'x'.repeat(43) })],
    ['without an issuer', without('iss')],
    ['of another issuer (mix-up)', (right) => ({ ...right, iss: 'https://evil.example' })],
    ['without a code', without('code')],
    ['that is an error', ({ state, iss }) => ({ state: state!, iss: iss!, error: 'access_denied' })],
  ])('%s is refused', async (_what, change) => {
    const { begin, callback, right, isSignedIn, provider } = await openSite()
    const browser = new TestBrowser()
    const { status } = await callback(browser, change(right(await begin(browser))))
    expect([status, isSignedIn(browser), provider.received.length]).toEqual([401, false, 0])
  })

  it('is accepted once', async () => {
    const { begin, callback, right, publicUrl } = await openSite()
    const browser = new TestBrowser()
    const answer = right(await begin(browser))
    const cookie = browser.cookies(publicUrl)
    expect((await callback(browser, answer)).status).toBe(200)
    const again = new TestBrowser()
    const replayed = await again.request('GET', `${publicUrl}/console/oidc/callback?${new URLSearchParams(answer)}`, {
      headers: { cookie },
    })
    expect(replayed.status).toBe(401)
  })

  it('is worth nothing in another browser (code injection, login CSRF)', async () => {
    const { begin, callback, right, isSignedIn, provider } = await openSite()
    const [attacker, victim] = [new TestBrowser(), new TestBrowser()]
    const answer = right(await begin(attacker))
    expect((await callback(victim, answer)).status).toBe(401)
    await begin(victim)
    expect((await callback(victim, answer)).status).toBe(401)
    expect([isSignedIn(victim), provider.received.length]).toEqual([false, 0])
  })

  it('gives a session with a new secret, whatever the browser had before (fixation)', async () => {
    const { begin, right, publicUrl, service } = await openSite()
    const browser = new TestBrowser()
    const planted = await service.signIn(await service.token(['read']))
    const parameters = await begin(browser)
    const attempt = browser.cookies(publicUrl)
    const { headers } = await browser.request(
      'GET',
      `${publicUrl}/console/oidc/callback?${new URLSearchParams(right(parameters))}`,
      { headers: { cookie: `${attempt}; ${planted}` } },
    )
    const set = [headers['set-cookie'] ?? []].flat().find((each) => each.startsWith('studio_session='))!
    expect(set).toMatch(/; HttpOnly; SameSite=Strict/)
    expect(set).not.toContain(planted)
  })

  it('leaves no code, state or token in the log', async () => {
    const { begin, callback, right, lines, provider } = await openSite()
    const browser = new TestBrowser()
    const answer = right(await begin(browser))
    await callback(browser, answer)
    provider.claims = { aud: 'other' }
    await callback(browser, right(await begin(browser)))
    const text = lines.join('\n')
    expect(text).toContain('/console/oidc/callback')
    for (const secret of ['the-code', answer.state, 'eyJ', provider.nonce]) expect(text).not.toContain(secret)
  })
})

describe('an ID token', () => {
  const signByOther = async (claims: Record<string, unknown>) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
      .sign((await generateKeyPair('RS256')).privateKey)
  const signBySecret = (claims: Record<string, unknown>) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(CLIENT.secret))
  const now = () => Math.floor(Date.now() / 1000)
  const unsigned = (claims: object) =>
    [{ alg: 'none' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')

  it.each<[string, Partial<ForgedProvider>]>([
    ['for another client', { claims: { aud: 'other' } }],
    ['for several clients, of which another one asked', { claims: { aud: ['studio', 'other'], azp: 'other' } }],
    ['of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['that has expired', { claims: { iat: now() - 7200, exp: now() - 3600 } }],
    ['with the nonce of another sign-in', { claims: { nonce: 'x'.repeat(43) } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['without a subject', { claims: { sub: undefined } }],
    ['with alg none', { writeIdToken: (claims) => `${unsigned(claims)}.` }],
    ['that another key signed', { writeIdToken: signByOther }],
    ['that the secret of the client signed', { writeIdToken: signBySecret }],
    ['that is none', { writeIdToken: () => 'nothing' }],
  ])('%s is refused', async (_what, forged) => {
    const { provider, begin, callback, right, isSignedIn, service } = await openSite()
    Object.assign(provider, forged)
    const browser = new TestBrowser()
    const { status, text } = await callback(browser, right(await begin(browser)))
    expect([status, isSignedIn(browser)]).toEqual([401, false])
    expect(text).toContain('Your provider did not confirm this sign-in.')
    expect(await service.run('sessions.list', {})).toEqual([])
  })
})

describe('a logout token', () => {
  const open = async () => {
    const site = await openSite()
    const { provider, begin, callback, right, publicUrl } = site
    provider.claims = { sid: 's1' }
    const browser = new TestBrowser()
    await callback(browser, right(await begin(browser)))
    const send = async (changes: object, write = provider.sign) => {
      const now = Math.floor(Date.now() / 1000)
      const claims = {
        iss: provider.issuer,
        aud: 'studio',
        iat: now,
        exp: now + 120,
        jti: 'j1',
        sid: 's1',
        events: { [LOGOUT_EVENT]: {} },
        ...changes,
      }
      const body = new URLSearchParams({ logout_token: await write(claims) }).toString()
      return (await new TestBrowser().request('POST', `${publicUrl}/console/oidc/backchannel-logout`, { body })).status
    }
    const isOpen = async () => (await browser.request('GET', `${publicUrl}/console/work`)).status === 200
    expect(await isOpen()).toBe(true)
    return { ...site, send, isOpen }
  }

  it.each([
    ['of a session', { sid: 's1' }],
    ['of a person', { sid: undefined, sub: 'ann' }],
  ])('%s ends what it names', async (_what, changes) => {
    const { send, isOpen } = await open()
    expect(await send(changes)).toBe(200)
    expect(await isOpen()).toBe(false)
  })

  it.each([
    ['for another client', { aud: 'other' }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['with a nonce, which is an ID token', { nonce: 'n' }],
    ['without the event', { events: {} }],
    ['that names no one', { sid: undefined }],
    ['that has expired', { exp: 1 }],
    ['that is old', { iat: Math.floor(Date.now() / 1000) - 3600 }],
    ['without an ID', { jti: undefined }],
  ])('%s is refused', async (_what, changes) => {
    const { send, isOpen } = await open()
    expect(await send(changes)).toBe(400)
    expect(await isOpen()).toBe(true)
  })

  it('that another key signed is refused', async () => {
    const { send, isOpen, provider } = await open()
    const { privateKey } = await generateKeyPair('RS256')
    expect(await send({}, (claims) => provider.sign(claims, privateKey))).toBe(400)
    expect(await isOpen()).toBe(true)
  })

  it('does not end what was opened after it', async () => {
    const { send, isOpen } = await open()
    expect(await send({ iat: Math.floor(Date.now() / 1000) - 60 })).toBe(200)
    expect(await isOpen()).toBe(true)
  })
})
