import type { JWTPayload } from 'jose'
import type { Configuration } from 'openid-client'
import { StudioError } from '../../../kernel'
import { errorCodeOf } from '../../../kernel/errors'
import { isRecord } from '../../../kernel/json'
import { memoizeAsync } from '../../../kernel/work/memoize-async'
import type { Claims } from '../../rules/person-claims'
import { createProviderFetch } from './provider-fetch'
import type { ProviderTokens } from './seal-tokens'

export interface ProviderSettings {
  issuer: string
  clientId: string
  clientSecret: string
  publicUrl: string
  scopes: readonly string[]
  /** The proxies of requests to the provider; null for direct connections. */
  proxy: Parameters<typeof createProviderFetch>[0]
}

/** What must come back with the code. */
export interface AttemptSecrets {
  state: string
  nonce: string
  codeVerifier: string
}

/** A person as the provider reports them. */
export interface ProvidedPerson {
  subject: string
  /** The ID of the session at the provider; null if it gives none. */
  session: string | null
  claims: Claims
  tokens: ProviderTokens
}

/** Whose sessions a logout token ends, of those that were opened until then. */
export interface Logout {
  subject: string | null
  session: string | null
  /** In epoch milliseconds. */
  at: number
}

/** The OpenID Connect provider. Methods throw `unavailable` if it cannot be reached. */
export interface IdentityProvider {
  begin(): Promise<{ secrets: AttemptSecrets; url: string }>
  /** Exchanges the code in the query of the callback. Throws `unauthenticated` for an answer that does not belong to the attempt. */
  finish(query: string, secrets: AttemptSecrets): Promise<ProvidedPerson>
  /** Asks again for a person. Null if the provider no longer vouches for them. */
  confirm(subject: string, tokens: ProviderTokens): Promise<Pick<ProvidedPerson, 'claims' | 'tokens'> | null>
  /** Where to sign out at the provider; null if it has no such page. */
  endSessionUrl(idToken: string): Promise<string | null>
  /** Throws `invalid` for a token that is not a logout token of the provider for this service. */
  verifyLogout(token: string, now: number): Promise<Logout>
}

export const CALLBACK_PATH = '/console/oidc/callback'

const TIMEOUT_SECONDS = 10
const RETRY_SECONDS = 10
/** After that time a logout token is not accepted, however long it is valid. */
const MAX_LOGOUT_AGE_MS = 5 * 60_000
const CLOCK_SKEW_SECONDS = 60
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** Opens the provider. The library and the provider's description are loaded for the first person. */
export function openIdentityProvider(settings: ProviderSettings): IdentityProvider {
  const { clientId, publicUrl, scopes } = settings
  const fetch = createProviderFetch(settings.proxy)
  const redirectUri = `${publicUrl}${CALLBACK_PATH}`
  const discover = memoizeAsync(() => discoverProvider(settings, fetch))
  const openKeys = memoizeAsync(async () => {
    const { jwks_uri: address } = (await discover()).serverMetadata()
    if (address === undefined) throw new Error('The provider publishes no keys.')
    const { createRemoteJWKSet, customFetch } = await import('jose')
    return createRemoteJWKSet(new URL(address), {
      timeoutDuration: TIMEOUT_SECONDS * 1000,
      [customFetch]: fetch,
    })
  })
  return {
    async begin() {
      const client = await import('openid-client')
      const config = await reach(discover)
      const secrets = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        codeVerifier: client.randomPKCECodeVerifier(),
      }
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: scopes.join(' '),
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(secrets.codeVerifier),
        code_challenge_method: 'S256',
      })
      return { secrets, url: url.href }
    },
    async finish(query, { state, nonce, codeVerifier }) {
      const client = await import('openid-client')
      const config = await reach(discover)
      return reach(async () => {
        const granted = await client.authorizationCodeGrant(config, new URL(`${redirectUri}${query}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        })
        const claims = granted.claims()!
        const userInfo = await readUserInfo(config, granted.access_token, claims.sub)
        return {
          subject: claims.sub,
          session: typeof claims['sid'] === 'string' ? claims['sid'] : null,
          claims: { ...userInfo, ...claims },
          tokens: toTokens(granted, granted.id_token!),
        }
      }, toSignInError)
    },
    async confirm(subject, tokens) {
      const client = await import('openid-client')
      const config = await reach(discover)
      try {
        return await reach(async () => {
          if (tokens.refreshToken === null) {
            const claims = await client.fetchUserInfo(config, tokens.accessToken, subject)
            return { claims, tokens }
          }
          const granted = await client.refreshTokenGrant(config, tokens.refreshToken)
          const claims = granted.claims()
          if (claims !== undefined && claims.sub !== subject) return null
          const userInfo = await readUserInfo(config, granted.access_token, subject)
          const renewed = toTokens(granted, granted.id_token ?? tokens.idToken)
          return {
            claims: { ...userInfo, ...claims },
            tokens: { ...renewed, refreshToken: renewed.refreshToken ?? tokens.refreshToken },
          }
        }, toSignInError)
      } catch (error) {
        if (error instanceof StudioError && error.code === 'unauthenticated') return null
        throw error
      }
    },
    async endSessionUrl(idToken) {
      const client = await import('openid-client')
      const config = await reach(discover)
      if (config.serverMetadata().end_session_endpoint === undefined) return null
      return client.buildEndSessionUrl(config, {
        id_token_hint: idToken,
        post_logout_redirect_uri: `${publicUrl}/console/sign-in`,
      }).href
    },
    async verifyLogout(token, now) {
      const { jwtVerify } = await import('jose')
      const config = await reach(discover)
      const { issuer } = config.serverMetadata()
      try {
        const { payload } = await jwtVerify(token, await openKeys(), {
          issuer,
          audience: clientId,
          algorithms: listAlgorithms(config),
          requiredClaims: ['iat', 'exp', 'jti'],
          currentDate: new Date(now),
          clockTolerance: CLOCK_SKEW_SECONDS,
        })
        return readLogout(payload, now)
      } catch (error) {
        if (error instanceof StudioError || /^ERR_J(WT|WS|OSE|WKS_NO)/.test(errorCodeOf(error)))
          throw new StudioError('invalid', 'The logout token is not accepted.', { cause: error })
        throw unreachable(error)
      }
    },
  }
}

async function discoverProvider(
  { issuer, clientId, clientSecret }: ProviderSettings,
  fetch: ReturnType<typeof createProviderFetch>,
): Promise<Configuration> {
  const client = await import('openid-client')
  const [basic, post] = [client.ClientSecretBasic(clientSecret), client.ClientSecretPost(clientSecret)]
  const authenticate: typeof basic = (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...request)
  }
  const isPlain = new URL(issuer).protocol === 'http:'
  return client.discovery(new URL(issuer), clientId, { client_secret: clientSecret }, authenticate, {
    timeout: TIMEOUT_SECONDS,
    [client.customFetch]: fetch,
    // Signatures of ID tokens are checked too. The settings allow plain http on this machine only.
    execute: [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])],
  })
}

async function readUserInfo(config: Configuration, accessToken: string, subject: string): Promise<Claims> {
  if (config.serverMetadata().userinfo_endpoint === undefined) return {}
  const { fetchUserInfo } = await import('openid-client')
  return fetchUserInfo(config, accessToken, subject)
}

function toTokens(granted: { access_token: string; refresh_token?: string }, idToken: string): ProviderTokens {
  return { idToken, accessToken: granted.access_token, refreshToken: granted.refresh_token ?? null }
}

function listAlgorithms(config: Configuration): string[] {
  const offered = config.serverMetadata().id_token_signing_alg_values_supported ?? ['RS256']
  return offered.filter((name) => /^(RS|PS|ES)(256|384|512)$|^Ed(DSA|25519)$/.test(name))
}

function readLogout({ sub, sid, iat, events, nonce }: JWTPayload, now: number): Logout {
  const subject = typeof sub === 'string' ? sub : null
  const session = typeof sid === 'string' ? sid : null
  const isLogout = isRecord(events) && isRecord(events[LOGOUT_EVENT]) && nonce === undefined
  if (!isLogout || (subject === null && session === null)) throw new StudioError('invalid', 'It is no logout token.')
  const at = iat! * 1000
  if (at < now - MAX_LOGOUT_AGE_MS || at > now + CLOCK_SKEW_SECONDS * 1000)
    throw new StudioError('invalid', 'The logout token is too old.')
  return { subject, session, at }
}

/** Reports an error that says nothing about the person as `unavailable`. Neither has the provider's text, which may contain a secret. */
async function reach<R>(
  run: () => Promise<R>,
  refused: (error: unknown) => StudioError | null = () => null,
): Promise<R> {
  try {
    return await run()
  } catch (error) {
    throw refused(error) ?? unreachable(error)
  }
}

function unreachable(error: unknown): StudioError {
  return new StudioError('unavailable', 'The provider for signing in cannot be reached.', {
    hint: 'Try again. If it lasts, check auth.oidc.issuer: studio config list --sources',
    retryAfterSeconds: RETRY_SECONDS,
    cause: new Error(errorCodeOf(error) || (error instanceof Error ? error.name : 'unknown')),
  })
}

/** Errors of OAuth that are about this service or the provider, not about the person. */
const SERVICE_ERRORS = new Set(['invalid_client', 'unauthorized_client', 'server_error', 'temporarily_unavailable'])
/** Answers that are none of OAuth: of a proxy, or of a provider that fails. */
const FOREIGN_ANSWERS = new Set(['OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_RESPONSE_IS_NOT_CONFORM'])

/** For what the provider refuses, and for an answer that fails a check; null for any other error. */
function toSignInError(error: unknown): StudioError | null {
  const code = errorCodeOf(error)
  const { error: reported, status, cause } = error as { error?: unknown; status?: number; cause?: unknown }
  const httpStatus = status ?? (cause instanceof Response ? cause.status : 400)
  if (httpStatus >= 500 || httpStatus === 429 || SERVICE_ERRORS.has(String(reported))) return null
  const isRefused = code.startsWith('OAUTH_') && (httpStatus === 401 || !FOREIGN_ANSWERS.has(code))
  if (!isRefused) return null
  const message =
    reported === 'access_denied'
      ? 'You did not sign in at your provider.'
      : 'Your provider did not confirm this sign-in.'
  return new StudioError('unauthenticated', message, { hint: 'Begin again.', cause: new Error(code) })
}
