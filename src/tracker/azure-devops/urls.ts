import { isLoopbackHost } from '../../kernel/loopback'
import type { TrackerAddress } from '../services/tracker-address'

/** A path below the base address. Without a project it addresses the whole organization. */
export function buildProjectPath(project: string | null, rest: string): string {
  return project === null ? `/${rest}` : `/${encodeURIComponent(project)}/${rest}`
}

/** The web page of an item. Without a project the tracker finds the item by its ID. */
export function buildItemPageUrl(webBase: string, project: string | null, id: number): string {
  return `${webBase}${buildProjectPath(project, `_workitems/edit/${id}`)}`
}

/**
 * Identifies the tracker and project, however the address is written. The port on this machine does not count, because the sandbox has another
 * one after each start. The two host names of the hosted service count as the same.
 */
export function createTrackerIdentity(address: Pick<TrackerAddress, 'base'>, project: string): string {
  return `${normalizeOrganization(address)}/${project}`.toLowerCase()
}

/** Host and organization, in lower case. */
export function normalizeOrganization({ base }: Pick<TrackerAddress, 'base'>): string {
  const { hostname, host, pathname } = new URL(base)
  const [, organization] = /^([^.]+)\.visualstudio\.com$/.exec(host) ?? []
  const place =
    organization !== undefined
      ? `dev.azure.com/${organization}`
      : `${isLoopbackHost(hostname) ? 'localhost' : host}${pathname.replace(/(?<!\/)\/+$/, '')}`
  return place.toLowerCase()
}

/** The path below one of the addresses of the organization; null for any other address. */
export function findPathInOrganization(url: string, bases: readonly string[]): string | null {
  if (!URL.canParse(url)) return null
  const { protocol, host, pathname } = new URL(url)
  if (!['https:', 'http:'].includes(protocol)) return null
  const hosted = normalizeOrganization({ base: `${protocol}//${host}` })
  const isOldHost = hosted.startsWith('dev.azure.com/')
  for (const base of bases) {
    const wanted = normalizeOrganization({ base })
    if (isOldHost && wanted === hosted) return pathname
    const { host: own, pathname: organization } = new URL(base)
    const sameHost = own === host || (host === 'dev.azure.com' && wanted.startsWith('dev.azure.com/'))
    const root =
      host === 'dev.azure.com' ? wanted.slice('dev.azure.com'.length) : organization.replace(/(?<!\/)\/+$/, '')
    const isBelow = `${pathname}/`.toLowerCase().startsWith(`${root}/`.toLowerCase())
    if (sameHost && isBelow) return pathname.slice(root.length)
  }
  return null
}

/** The hosted service searches on a separate host. A server of your own has only one address. */
export function buildSearchBase({ base }: TrackerAddress): string {
  const url = new URL(base)
  if (url.protocol !== 'https:') return base
  if (url.host === 'dev.azure.com') return base.replace('//dev.azure.com', '//almsearch.dev.azure.com')
  const [, organization] = /^([^.]+)\.visualstudio\.com$/.exec(url.host) ?? []
  return organization === undefined
    ? base
    : base.replace(`//${url.host}`, `//${organization}.almsearch.visualstudio.com`)
}
