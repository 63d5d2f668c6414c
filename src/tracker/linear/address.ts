import { StudioError } from '../../kernel'
import { DEFAULT_SETTING_NAMES } from '../services/setting-names'
import { decodePath, parseTrackerAddress, type TrackerAddress } from '../services/tracker-address'

/** A team of a workspace, and the addresses of the services for it. */
export interface TeamAddress {
  workspace: string
  /** The prefix of its issues, in upper case: `ENG`. */
  key: string
  /** The API, and `host/workspace/KEY` for display. */
  api: TrackerAddress
  /** Scheme and host of the web pages. */
  webBase: string
  /** The only address below which files are read with the token. */
  filesBase: string
}

const HOST = 'linear.app'

/** Parses `https://linear.app/workspace/team/KEY`, or the address of a workspace with the key of a team in `project`. */
export function parseTeamAddress(url: string, project: string | null, names = DEFAULT_SETTING_NAMES): TeamAddress {
  const { base } = parseTrackerAddress(url, names.url)
  const { host, origin, pathname } = new URL(base)
  const [workspace, team, ofPath] = decodePath(pathname).split('/').filter(Boolean)
  const key = ((team === 'team' ? ofPath : undefined) ?? project ?? '').trim().toUpperCase()
  if (workspace === undefined || !/^[A-Z0-9]{1,20}$/.test(key)) {
    throw new StudioError('invalid', 'The address of the tracker is not that of a team in Linear.', {
      hint: `Set ${names.url} to the team: https://${HOST}/workspace/team/KEY`,
    })
  }
  // Any other host is a server for tests, which has everything below its own address.
  const isHosted = host === HOST
  return {
    workspace,
    key,
    api: { base: isHosted ? `https://api.${HOST}` : origin, label: `${host}/${workspace}/${key}` },
    webBase: origin,
    filesBase: isHosted ? `https://uploads.${HOST}/` : `${origin}/uploads/`,
  }
}

/** The team and the number of `ENG-123`; null if it is no such identifier. */
export function parseIdentifier(text: string): { key: string; number: number } | null {
  const [, key, digits] = /^([A-Z0-9]{1,20})-([1-9]\d{0,8})$/i.exec(text.trim()) ?? []
  return key === undefined ? null : { key: key.toUpperCase(), number: Number(digits) }
}
