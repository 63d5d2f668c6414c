import { StudioError } from '../../kernel'
import { isLoopbackHost } from '../../kernel/loopback'
import { DEFAULT_SETTING_NAMES } from './setting-names'

export interface TrackerAddress {
  /** Scheme, host and organization, without a trailing slash: `https://host/org`. */
  base: string
  /** The same for display: `host/org`. */
  label: string
}

/** Parses the setting that `setting` names. Drops a user name or password in it, because credentials travel only in a header. */
export function parseTrackerAddress(url: string, setting = DEFAULT_SETTING_NAMES.url): TrackerAddress {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol)) {
    throw new StudioError('invalid', 'The address of the tracker is not an http or https address.', {
      hint: `Set ${setting} to the address with its organization: https://host/organization`,
    })
  }
  const path = parsed.pathname.replace(/(?<!\/)\/+$/, '')
  return { base: `${parsed.origin}${path}`, label: `${parsed.host}${path}` }
}

/** The path as people read it. What is not encoded correctly stays as it is. */
export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** `host/path` in lower case. The port on this machine does not count, because a test server has another one each time. */
export function createSiteIdentity(webBase: string, path: string): string {
  const { host, hostname } = new URL(webBase)
  return `${isLoopbackHost(hostname) ? 'localhost' : host}/${path.replace(/^\/+/, '')}`.toLowerCase()
}
