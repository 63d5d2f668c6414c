import type { WebLinkKind } from '../../tracker'

/** How hosts of code write the addresses of what they have. */
const PATHS: readonly [WebLinkKind, RegExp][] = [
  ['pull-request', /\/(?:pull|pulls|pull-requests|pullrequest|merge_requests)\/\d+(?:\/|$)/i],
  ['commit', /\/commits?\/[0-9a-f]{7,64}(?:\/|$)/i],
  ['branch', /\/(?:tree|branch|branches|compare)\/[^/]/i],
]

/** What the address of a link leads to. */
export function findWebLinkKind(url: string): WebLinkKind {
  if (!URL.canParse(url)) return 'page'
  const { pathname } = new URL(url)
  return PATHS.find(([, path]) => path.test(pathname))?.[0] ?? 'page'
}
