import { DEFAULT_SETTING_NAMES } from '../setting-names'
import type { TrackerSettings } from '../tracker-settings'
import { type HttpClientSettings, type HttpResponse, openHttpClient } from './http-client'
import { defaultLimits, systemTiming } from './rate-limiter'
import type { TrackerAccess } from './response-errors'
import { RetryingClient } from './retrying-client'
import type { TrackerError } from './tracker-error'

type RequestDefaults = Pick<HttpClientSettings, 'headers' | 'query' | 'secrets' | 'parsePause' | 'isForAnonymous'>

interface ClientSettings extends RequestDefaults, Omit<TrackerAccess, 'hasToken' | 'names'> {
  classifyResponse(response: HttpResponse, access: TrackerAccess): TrackerError | null
}

/** Opens the client for a tracker, with the limits and the proxy of the settings. */
export function openClient(
  {
    token,
    proxy = null,
    limits: changed,
    timing = systemTiming,
    onPause,
    settingNames: names = DEFAULT_SETTING_NAMES,
  }: TrackerSettings,
  { address, addressForm, classifyResponse, ...defaults }: ClientSettings,
): RetryingClient {
  const limits = { ...defaultLimits, ...changed }
  const access = { address, addressForm, hasToken: Boolean(token), names }
  return new RetryingClient({
    limits,
    timing,
    http: openHttpClient({ ...defaults, address, addressSetting: names.url, proxy, limits, now: timing.now }),
    classifyResponse: (response) => classifyResponse(response, access),
    onPause,
  })
}

/** The headers of every request. `authorization` is null without a token. */
export function createHeaders(authorization: string | null): Record<string, string> {
  return {
    accept: 'application/json',
    'accept-encoding': 'gzip',
    'user-agent': 'story-studio',
    ...(authorization === null ? {} : { authorization }),
  }
}
