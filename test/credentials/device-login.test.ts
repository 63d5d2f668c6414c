import { describe, expect, it } from 'vitest'
import { type DeviceCode, logInWithDevice } from '../../src/credentials'
import { refreshLogin } from '../../src/credentials/device-login'
import type { Login, LoginStore } from '../../src/credentials/login'
import { readTokenFromLogin } from '../../src/credentials/login-token'
import { createProxyFetch } from '../../src/credentials/proxy-fetch'
import { startProvider } from '../identity/provider'
import { type Reply, startStub } from '../tracker/azure-devops/stub-server'

const signal = new AbortController().signal
const call = {
  fetch: createProxyFetch(null),
  signal,
  now: () => 1_000_000,
  code: 'tracker_token' as const,
  loginCommand: 'studio login gh',
}

/** A login in memory, of which several processes can have their own view. */
function storeOf(login: Login | null): LoginStore & { login: Login | null } {
  let last = Promise.resolve<unknown>(null)
  const store = {
    login,
    read: async () => store.login,
    update(change: (current: Login) => Promise<Login>) {
      const run = last.then(async () => {
        if (store.login !== null) store.login = await change(store.login)
        return store.login
      })
      last = run.catch(() => null)
      return run
    },
  }
  return store
}

describe('signing in with a code at a certified provider', () => {
  const openProvider = () =>
    startProvider({
      findPerson: () => ({ sub: 'ana' }),
      scope: 'openid offline_access',
      configuration: {
        clients: [
          {
            client_id: 'studio',
            token_endpoint_auth_method: 'none',
            grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
            response_types: [],
            redirect_uris: [],
          },
        ],
        features: { deviceFlow: { enabled: true } },
        rotateRefreshToken: true,
        ttl: { AccessToken: 600, DeviceCode: 600, Grant: 3600, Interaction: 600, RefreshToken: 3600, Session: 3600 },
      },
    })

  it('gives a token that is replaced when it expires, once for all processes, and ends when the provider ends it', async () => {
    const { issuer, browse } = await openProvider()
    const shown: DeviceCode[] = []
    const scope = 'openid offline_access'
    const show = (code: DeviceCode) => {
      shown.push(code)
      void browse(code.url, { user_code: code.code })
    }
    const login = await logInWithDevice({ address: { issuer }, clientId: 'studio', scope }, show, call)
    expect(shown).toHaveLength(1)
    expect(login).toMatchObject({ clientId: 'studio', scope, expiresAt: 1_600_000, refreshToken: expect.any(String) })
    const store = storeOf(login)
    const clock = { at: 1_000_000 }
    const start = () => readTokenFromLogin(store, { ...call, now: () => clock.at })
    const processes = [start(), start(), start()]
    expect(await processes[0]!.read(signal)).toBe(login.accessToken)
    clock.at = 1_590_000
    const tokens = await Promise.all(processes.map((one) => one.read(signal)))
    expect(new Set(tokens).size).toBe(1)
    expect(tokens[0]).not.toBe(login.accessToken)
    // A refresh token is good once: had two processes used it, the provider would have ended the sign-in.
    expect(await processes[1]!.renew(tokens[0]!, signal)).not.toBe(tokens[0])
    store.login = { ...store.login!, refreshToken: login.refreshToken, accessToken: null }
    await expect(start().read(signal)).rejects.toMatchObject({
      code: 'tracker_token',
      message: 'The sign-in to the tracker has ended.',
      hint: 'Sign in again: studio login gh',
    })
  })

  it('says what a provider refuses', async () => {
    const { issuer } = await openProvider()
    const provider = { address: { issuer }, clientId: 'unknown', scope: 'openid' }
    await expect(logInWithDevice(provider, () => {}, call)).rejects.toMatchObject({
      code: 'tracker_token',
      message: expect.stringContaining('The identity provider refused'),
    })
  })
})

describe('a token that is replaced', () => {
  it('is stored although its caller has left, because the refresh token may be used up', async () => {
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    const caller = new AbortController()
    let uses = 0
    const { url } = await startStub(async () => {
      uses += 1
      if (uses > 1) return { status: 400, json: { error: 'invalid_grant' } }
      caller.abort()
      await held
      return { json: { access_token: 'second', refresh_token: 'next', token_type: 'bearer', expires_in: 600 } }
    })
    const store = storeOf({
      tokenEndpoint: `${url}/token`,
      clientId: 'studio',
      scope: '',
      expiresAt: 1,
      accessToken: 'first',
      refreshToken: 'once',
    })
    const source = readTokenFromLogin(store, call)
    await expect(source.read(caller.signal)).rejects.toMatchObject({ name: 'AbortError' })
    answer()
    expect(await source.read(signal)).toBe('second')
    expect(store.login).toMatchObject({ accessToken: 'second', refreshToken: 'next' })
  })
})

describe('signing in with a code at GitHub', () => {
  /** Answers as GitHub documents it: errors come with status 200. */
  const openGitHub = async (answers: Reply[]) => {
    const stub = await startStub(({ path }) => {
      if (path === '/login/device/code')
        return {
          json: {
            device_code: '3584d83530557fdd1f46af8289938c8ef79f9dc5',
            user_code: 'WDJB-MJHT',
            verification_uri: 'https://github.com/login/device',
            expires_in: 900,
            interval: 0.01,
          },
        }
      return answers.shift()!
    })
    const address = {
      deviceEndpoint: `${stub.url}/login/device/code`,
      tokenEndpoint: `${stub.url}/login/oauth/access_token`,
    }
    return { stub, provider: { address, clientId: 'Iv1.0', scope: 'repo' } }
  }
  const refuse = (error: string): Reply => ({
    json: { error, error_description: `About ${error}`, error_uri: 'https://docs.github.com' },
  })

  it('waits until the code was entered, and stores a token without an end', async () => {
    const token = {
      json: { access_token: 'gho_16C7e42F292c6912E7710c838347Ae178B4a', token_type: 'bearer', scope: 'repo' },
    }
    const { provider, stub } = await openGitHub([refuse('authorization_pending'), token])
    const shown: DeviceCode[] = []
    const login = await logInWithDevice(provider, (code) => shown.push(code), call)
    expect(shown).toEqual([{ url: 'https://github.com/login/device', code: 'WDJB-MJHT', expiresInSeconds: 900 }])
    expect(login).toMatchObject({ accessToken: token.json.access_token, refreshToken: null, expiresAt: null })
    expect(stub.requests.every(({ headers }) => headers.accept === 'application/json')).toBe(true)
    expect(await readTokenFromLogin(storeOf(login), call).renew(login.accessToken!, signal)).toBeNull()
    await expect(refreshLogin(login, call)).rejects.toMatchObject({ code: 'tracker_token' })
  })

  it.each([
    ['access_denied', 'The sign-in was declined in the browser.'],
    ['expired_token', 'The code was not entered in time.'],
    ['incorrect_client_credentials', 'The identity provider refused: About incorrect_client_credentials'],
  ])(
    'says why it ended: %s',
    async (error, message) => {
      const { provider } = await openGitHub([refuse(error)])
      await expect(logInWithDevice(provider, () => {}, call)).rejects.toMatchObject({ message })
    },
    60_000,
  )

  it.each([
    [404, 'tracker_token', 'Check the address'],
    [503, 'unavailable', 'later'],
  ])('says with which status a server without it answers: %d', async (status, code, hint) => {
    const { url } = await startStub(() => ({ status, json: { message: 'Not a sign-in' } }))
    const address = { deviceEndpoint: `${url}/code`, tokenEndpoint: `${url}/token` }
    await expect(logInWithDevice({ address, clientId: 'x', scope: '' }, () => {}, call)).rejects.toMatchObject({
      code,
      message: `The identity provider answered with HTTP ${status}.`,
      hint: expect.stringContaining(hint),
    })
  })

  it('says that the provider cannot be reached', async () => {
    const address = { deviceEndpoint: 'http://127.0.0.1:65533/code', tokenEndpoint: 'http://127.0.0.1:65533/token' }
    await expect(logInWithDevice({ address, clientId: 'x', scope: '' }, () => {}, call)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The identity provider does not answer: ECONNREFUSED.',
    })
  })
})
