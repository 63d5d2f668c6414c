import * as z from 'zod'
import { StudioError } from '../../kernel'
import { equalsIgnoringCase } from '../../kernel/text/text'
import { DEFAULT_SETTING_NAMES } from '../services/setting-names'
import { decodePath, parseTrackerAddress, type TrackerAddress } from '../services/tracker-address'

/** A project and the server that has it. */
export interface ProjectAddress {
  /** With its groups: `group/sub/project`. */
  path: string
  /** The server, and `host/group/sub/project` for display. */
  api: TrackerAddress
}

/**
 * Parses `https://gitlab.com/group/sub/project`. The last part may also be in `project`. If `project` has groups too, the address is that of the
 * server alone, which may have a path.
 */
export function parseProjectAddress(
  url: string,
  project: string | null,
  names = DEFAULT_SETTING_NAMES,
): ProjectAddress {
  const { base } = parseTrackerAddress(url, names.url)
  const { host, origin, pathname } = new URL(base)
  const [page = ''] = decodePath(pathname).split('/-/')
  const isWhole = (project ?? '').includes('/')
  const parts = [...(isWhole ? [] : page.split('/')), ...(project ?? '').split('/')].filter(Boolean)
  if (parts.length < 2) {
    throw new StudioError('invalid', 'The address of the tracker is not that of a GitLab project.', {
      hint: `Set ${names.url} to the project with its groups: https://gitlab.com/group/project`,
    })
  }
  const path = parts.join('/').replace(/\.git$/i, '')
  return { path, api: { base: isWhole ? base : origin, label: `${host}/${path}` } }
}

/** An item by its namespace and the number that it has there. */
export interface ItemKey {
  namespace: string
  iid: string
}

/** Parses `group/project#12`, `#12` for the project itself, and `group&5`. Null for the key of another group. */
export function parseKey(key: string, { path }: Pick<ProjectAddress, 'path'>): ItemKey | null {
  const [, namespace = '', , iid = ''] = /^([^#&\s]*)([#&])([1-9]\d{0,9})$/.exec(key.trim()) ?? []
  if (iid === '') return null
  if (namespace === '') return key.includes('#') ? { namespace: path, iid } : null
  const root = (one: string) => one.split('/')[0]!
  return equalsIgnoringCase(root(namespace), root(path)) ? { namespace, iid } : null
}

/** People write the numbers of epics with another character. */
export function formatKey({ namespace, iid }: ItemKey, type: string): string {
  return `${namespace}${equalsIgnoringCase(type, 'Epic') ? '&' : '#'}${iid}`
}

const GLOBAL_ID = /^gid:\/\/gitlab\/[A-Za-z:]+\/([1-9]\d{0,14})$/

/** The number in `gid://gitlab/WorkItem/123`; null if there is none. */
export function parseGlobalId(id: string): number | null {
  const match = GLOBAL_ID.exec(id)
  return match ? Number(match[1]) : null
}

/** The number of a global ID. */
export const WireId = z.string().transform((id, context): number => {
  const number = parseGlobalId(id)
  if (number !== null) return number
  context.addIssue({ code: 'custom', message: 'must be a global ID' })
  return z.NEVER
})

export function toWorkItemId(id: number): string {
  return `gid://gitlab/WorkItem/${id}`
}
