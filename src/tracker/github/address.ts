import { StudioError } from '../../kernel'
import { parseItemId } from '../services/item-keys'
import { DEFAULT_SETTING_NAMES } from '../services/setting-names'
import { decodePath, parseTrackerAddress, type TrackerAddress } from '../services/tracker-address'

/** A repository and the address of the API that serves it. */
export interface RepositoryAddress {
  owner: string
  name: string
  /** The API, and `host/owner/repository` for display. */
  api: TrackerAddress
  /** Of the GraphQL API, below `api.base`. */
  graphqlPath: string
  /** Of the REST API, below `api.base`. */
  restPath: string
  /** Scheme and host of the web pages. */
  webBase: string
}

/** Parses `https://github.com/owner/repository`, or the address of an owner and a repository. Both parts may also be in `project`. */
export function parseRepositoryAddress(
  url: string,
  project: string | null,
  names = DEFAULT_SETTING_NAMES,
): RepositoryAddress {
  const { base } = parseTrackerAddress(url, names.url)
  const { host, hostname, origin, pathname } = new URL(base)
  const parts = [...decodePath(pathname).split('/'), ...(project ?? '').split('/')].filter(Boolean)
  const [owner, name] = parts
  if (parts.length !== 2 || owner === undefined || name === undefined) {
    throw new StudioError('invalid', 'The address of the tracker is not that of a GitHub repository.', {
      hint: `Set ${names.url} to the repository: https://github.com/owner/repository`,
    })
  }
  const repository = name.replace(/\.git$/i, '')
  const label = `${host}/${owner}/${repository}`
  // The hosted service has a host of its own for the API, and always encryption. A server of your own has a path.
  const isHosted = hostname === 'github.com' || hostname.endsWith('.ghe.com')
  return {
    owner,
    name: repository,
    api: { base: isHosted ? `https://api.${host}` : origin, label },
    graphqlPath: isHosted ? '/graphql' : '/api/graphql',
    restPath: isHosted ? '' : '/api/v3',
    webBase: origin,
  }
}

/** The number in `owner/repository#12`, `#12` or `12`, with the repository in lower case, or empty; null if it is no number. */
export function parseIssueKey(key: string): { repository: string; number: number } | null {
  const at = key.lastIndexOf('#')
  const number = parseItemId(key.slice(at + 1))
  return number === null ? null : { repository: key.slice(0, Math.max(at, 0)).trim().toLowerCase(), number }
}
