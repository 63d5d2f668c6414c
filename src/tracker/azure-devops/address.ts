import { StudioError } from '../../kernel'

export interface Address {
  /** Scheme, host and organization, without a trailing slash: `https://host/org`. */
  base: string
  /** The same as people read it: `host/org`. */
  label: string
}

/** Reads the setting. A user name or password in it is dropped: credentials travel in a header alone. */
export function parseAddress(url: string): Address {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol)) {
    throw new StudioError('invalid', 'The address of the tracker is not an http or https address.', {
      hint: 'Set STUDIO_TRACKER_URL to the address with its organization: https://host/organization',
    })
  }
  const path = parsed.pathname.replace(/(?<!\/)\/+$/, '')
  return { base: `${parsed.origin}${path}`, label: `${parsed.host}${path}` }
}

/** A path below the base; `project` null stands for the whole organization. */
export function projectPath(project: string | null, rest: string): string {
  return project === null ? `/${rest}` : `/${encodeURIComponent(project)}/${rest}`
}

/** The page that a person opens. Without a project the tracker finds it by the id. */
export function itemPage(webBase: string, project: string | null, id: number): string {
  return `${webBase}${projectPath(project, `_workitems/edit/${id}`)}`
}

/**
 * One word for the tracker and the project, however they were spelt. On this machine the port does not count, as the sandbox has
 * another one at each start; the two names of the hosted service are one.
 */
export function identityOf(address: Pick<Address, 'base'>, project: string): string {
  return `${placeOf(address)}/${project}`.toLowerCase()
}

/** The same without the project: host and organization, in lower case. */
export function placeOf({ base }: Pick<Address, 'base'>): string {
  const { hostname, host, pathname } = new URL(base)
  const [, organization] = /^([^.]+)\.visualstudio\.com$/.exec(host) ?? []
  const place =
    organization !== undefined
      ? `dev.azure.com/${organization}`
      : `${isThisMachine(hostname) ? 'localhost' : host}${pathname.replace(/(?<!\/)\/+$/, '')}`
  return place.toLowerCase()
}

export function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}
