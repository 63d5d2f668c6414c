import type { StubRequest } from '../azure-devops/stub-server'
import { openGitHub } from './fixtures'

interface SignInOptions {
  /** Replaces parts of the answer with the code. */
  device?: object
  /** Replaces parts of the answer with the tokens. */
  token?: object
  /** A part of each token, which no other text contains. */
  secret?: string
  /** Called with each request. */
  onRequest?(request: StubRequest): void
}

/**
 * A repository whose owner signs in with a code. Each refresh gives the next token (`access-1`, `refresh-1`), and the one before is refused.
 * The token `access-0` is accepted before the first sign-in.
 */
export async function openGitHubWithSignIn({ device = {}, token = {}, secret = '', onRequest }: SignInOptions = {}) {
  let issued = 0
  const { url, requests } = await openGitHub(
    { issues: [{ number: 1 }], types: ['Bug'] },
    {
      answer(request, github) {
        onRequest?.(request)
        const { path, headers, body } = request
        if (path === '/login/device/code')
          return {
            json: {
              device_code: 'device',
              user_code: 'WDJB-MJHT',
              verification_uri: 'https://github.example/login/device',
              expires_in: 900,
              interval: 0.01,
              ...device,
            },
          }
        if (path === '/login/oauth/access_token') {
          const given = new URLSearchParams(body).get('refresh_token')
          if (given !== null && given !== `refresh-${issued}${secret}`) return { json: { error: 'bad_refresh_token' } }
          issued += 1
          return {
            json: {
              access_token: `access-${issued}${secret}`,
              refresh_token: `refresh-${issued}${secret}`,
              expires_in: 28_800,
              token_type: 'bearer',
              ...token,
            },
          }
        }
        if (headers.authorization !== `Bearer access-${issued}${secret}`)
          return { status: 401, json: { message: 'Bad credentials' } }
        return github.answer({ ...request, headers: { ...headers, authorization: 'Bearer secret-token' } })
      },
    },
  )
  /** Ends what was issued. */
  const expire = () => {
    issued += 1
  }
  return { url, requests, expire }
}
