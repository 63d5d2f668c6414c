import type { Configuration, TokenEndpointResponse } from 'openid-client'
import { type ErrorCode, findNetworkErrorCode, StudioError, UNREACHABLE_CODES } from '../kernel/errors'
import { isRecord, parseJson } from '../kernel/json'
import { toOneLine } from '../kernel/text/one-line'
import { SECOND_MS } from '../kernel/time'
import type { Login } from './login'
import type { ProxyFetch } from './proxy-fetch'
import { isToken } from './token-source'

const MAX_MESSAGE_LENGTH = 300

/** An identity provider as it signs in people on another device (RFC 8628). */
export interface DeviceProvider {
  /** Either where it describes itself, or where its two endpoints are. */
  address: { issuer: string } | { deviceEndpoint: string; tokenEndpoint: string }
  clientId: string
  scope: string
}

/** What a person does to sign in. */
export interface DeviceCode {
  url: string
  code: string
  expiresInSeconds: number
}

interface LoginCall {
  fetch: ProxyFetch
  signal: AbortSignal
  now(): number
  /** The code of errors of the provider. */
  code: ErrorCode
  /** The command that signs in, for hints. */
  loginCommand: string
}

/** Signs in a person, who enters a code in a browser on any device. `show` shows it to them. Returns when they have done it. */
export async function logInWithDevice(
  { address, clientId, scope }: DeviceProvider,
  show: (code: DeviceCode) => void,
  call: LoginCall,
): Promise<Login> {
  const { initiateDeviceAuthorization, pollDeviceAuthorizationGrant } = await import('openid-client')
  return explainErrors(call, async () => {
    const config = await configure(address, clientId, call)
    const started = await initiateDeviceAuthorization(config, { scope })
    show({
      url: toOneLine(started.verification_uri, MAX_MESSAGE_LENGTH),
      code: toOneLine(started.user_code, MAX_MESSAGE_LENGTH),
      expiresInSeconds: started.expires_in,
    })
    const tokens = await pollDeviceAuthorizationGrant(config, started, undefined, { signal: call.signal })
    const { token_endpoint: tokenEndpoint } = config.serverMetadata()
    return toLogin(tokens, { tokenEndpoint: tokenEndpoint!, clientId, scope, refreshToken: null }, call)
  })
}

/** Replaces the access token, and the refresh token if the provider gives another one. */
export async function refreshLogin(login: Login, call: LoginCall): Promise<Login> {
  const { tokenEndpoint, clientId, scope, refreshToken } = login
  if (refreshToken === null)
    throw new StudioError(call.code, 'The sign-in to the tracker has expired.', {
      hint: `Sign in again: ${call.loginCommand}`,
    })
  const { refreshTokenGrant } = await import('openid-client')
  return explainErrors(call, async () => {
    const config = await configure({ deviceEndpoint: tokenEndpoint, tokenEndpoint }, clientId, call)
    const tokens = await refreshTokenGrant(config, refreshToken, scope === '' ? {} : { scope })
    return toLogin(tokens, login, call)
  })
}

async function configure(
  address: DeviceProvider['address'],
  clientId: string,
  { fetch, signal }: LoginCall,
): Promise<Configuration> {
  const client = await import('openid-client')
  const send = (url: string, options: RequestInit) =>
    fetch(url, { ...options, signal: AbortSignal.any([signal, ...(options.signal ? [options.signal] : [])]) })
  const customFetch = async (url: string, options: RequestInit) => toStandardError(await send(url, options))
  const isLocal = (url: string) => new URL(url).protocol === 'http:'
  if ('issuer' in address) {
    const execute = isLocal(address.issuer) ? [client.allowInsecureRequests] : []
    return client.discovery(new URL(address.issuer), clientId, undefined, client.None(), {
      execute,
      [client.customFetch]: customFetch as never,
    })
  }
  const { deviceEndpoint, tokenEndpoint } = address
  const endpoints = { device_authorization_endpoint: deviceEndpoint, token_endpoint: tokenEndpoint }
  const issuer = new URL(tokenEndpoint).origin
  const config = new client.Configuration({ issuer, ...endpoints }, clientId, undefined, client.None())
  config[client.customFetch] = customFetch as never
  if (isLocal(tokenEndpoint)) client.allowInsecureRequests(config)
  return config
}

/** GitHub answers errors with status 200, which the standard has with 400. */
async function toStandardError(response: Response): Promise<Response> {
  if (response.status !== 200) return response
  const text = await response.text()
  const answer = parseJson(text) as { error?: unknown } | undefined
  const status = typeof answer?.error === 'string' ? 400 : 200
  return new Response(text, { status, headers: response.headers })
}

function toLogin(
  { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds }: TokenEndpointResponse,
  known: Pick<Login, 'tokenEndpoint' | 'clientId' | 'scope' | 'refreshToken'>,
  { now, code }: LoginCall,
): Login {
  const { tokenEndpoint, clientId, scope } = known
  if (!isToken(accessToken)) throw new StudioError(code, 'The identity provider sent a token that cannot be used.')
  const expiresAt = seconds === undefined ? null : Math.round(now() + seconds * SECOND_MS)
  return {
    tokenEndpoint,
    clientId,
    scope,
    // A provider may answer any number.
    expiresAt: Number.isSafeInteger(expiresAt) ? expiresAt : null,
    accessToken,
    refreshToken: refreshToken ?? known.refreshToken,
  }
}

/** Errors of a provider in plain words. Their causes are left out, because they hold what was answered, which may be a token. */
async function explainErrors<Value>(
  { code, signal, loginCommand }: LoginCall,
  work: () => Promise<Value>,
): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StudioError || signal.aborted) throw error
    const network = findNetworkErrorCode(error)
    if (UNREACHABLE_CODES.has(network) || network.startsWith('UND_ERR') || network.startsWith('ECONN'))
      throw new StudioError('unavailable', `The identity provider does not answer: ${network}.`)
    const status = findStatus(error)
    if (status !== null)
      throw new StudioError(
        status < 500 ? code : 'unavailable',
        `The identity provider answered with HTTP ${status}.`,
        {
          hint:
            status < 500
              ? 'Check the address of the tracker. An older server may have no sign-in with a code.'
              : 'Try again later.',
        },
      )
    const { error: reason, error_description: description } = error as { error?: unknown; error_description?: unknown }
    const known = REASONS.get(String(reason))
    if (known !== undefined) throw new StudioError(code, known, { hint: `Sign in again: ${loginCommand}` })
    const said =
      typeof description === 'string' ? description : typeof reason === 'string' ? reason : findFirstCause(error)
    throw new StudioError(code, `The identity provider refused: ${toOneLine(said, MAX_MESSAGE_LENGTH)}`, {
      hint: 'Check the client ID, and that the application there allows sign-in on another device.',
    })
  }
}

/** The status of an answer that is not in the form of the standard; null if that is not the reason. */
function findStatus(error: unknown): number | null {
  if (!(error instanceof Error)) return null
  const { cause } = error
  if (isRecord(cause) && typeof cause['status'] === 'number' && cause['status'] >= 300) return cause['status']
  return findStatus(cause)
}

function findFirstCause(error: unknown): string {
  if (!(error instanceof Error)) return 'its answer cannot be used'
  return error.cause instanceof Error ? findFirstCause(error.cause) : error.message
}

const ENDED = 'The sign-in to the tracker has ended.'

/** By the codes of the standard. */
const REASONS = new Map([
  ['access_denied', 'The sign-in was declined in the browser.'],
  ['expired_token', 'The code was not entered in time.'],
  ['invalid_grant', ENDED],
  ['interaction_required', ENDED],
  // Of GitHub.
  ['bad_refresh_token', ENDED],
])
