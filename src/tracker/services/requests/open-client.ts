import { openTokenSource } from '../../../credentials'
import { DEFAULT_SETTING_NAMES } from '../setting-names'
import type { TrackerSettings } from '../tracker-settings'
import { type HttpClientSettings, type HttpResponse, openHttpClient } from './http-client'
import { defaultLimits, systemTiming } from './rate-limiter'
import type { TrackerAccess } from './response-errors'
import { RetryingClient } from './retrying-client'
import type { TrackerError } from './tracker-error'

type RequestDefaults = Pick<HttpClientSettings, 'headers' | 'query' | 'authorize' | 'parsePause' | 'isForAnonymous'>

interface ClientSettings extends RequestDefaults, Pick<TrackerAccess, 'address' | 'addressForm'> {
  classifyResponse(response: HttpResponse, access: TrackerAccess): TrackerError | null
}

/** Opens the client for a tracker, with the limits and the proxy of the settings. */
export function openClient(
  {
    token,
    login = null,
    tokenCommand = null,
    proxy = null,
    limits: changed,
    timing = systemTiming,
    onPause,
    settingNames: names = DEFAULT_SETTING_NAMES,
  }: TrackerSettings,
  { address, addressForm, classifyResponse, ...defaults }: ClientSettings,
): RetryingClient {
  const limits = { ...defaultLimits, ...changed }
  const tokenSource = openTokenSource({
    token,
    login,
    proxy,
    tokenCommand,
    setting: names.tokenCommand,
    code: 'tracker_token',
    loginCommand: names.login,
    now: timing.now,
  })
  const tokenAdvice = tokenSource?.advice ?? null
  return new RetryingClient({
    limits,
    timing,
    http: openHttpClient({
      ...defaults,
      tokenSource,
      address,
      addressSetting: names.url,
      proxy,
      limits,
      now: timing.now,
    }),
    access: { address, addressForm, hasToken: tokenSource !== null, tokenAdvice, names },
    classifyResponse,
    onPause,
  })
}

/** The headers of every request. */
export const COMMON_HEADERS = { accept: 'application/json', 'accept-encoding': 'gzip', 'user-agent': 'story-studio' }

export function createBasicAuth(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}
