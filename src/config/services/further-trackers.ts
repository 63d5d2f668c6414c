import * as z from 'zod'
import { StudioError } from '../../kernel'
import { findTrackerCredential, stripCredentials } from './credentials'
import type { Paths } from './paths'
import { readProxySettings } from './proxy-settings'

/** Names that are no names, because items are addressed as `name:key`, and `https:` begins an address. */
const reservedNames = ['default', 'http', 'https']

/** The name of a tracker besides the default one, as in `gh:acme/harbor#12`. */
export const TrackerName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,19}$/, 'must be a name of 1 to 20 lower-case letters, digits and hyphens, such as gh')
  .refine((name) => !reservedNames.includes(name), 'must not be default, http or https')
  // Its variable would be that of a command.
  .refine((name) => !/^command(?:-|$)/.test(name), 'must not begin with command')

/** One entry of `trackers` in a settings file. */
interface TrackerEntry<Kind> {
  kind?: Kind | undefined
  url?: string | undefined
  project?: string | undefined
  account?: string | undefined
  board?: number | undefined
  typeLabels?: string[] | undefined
  tokenCommand?: string | undefined
}

type TrackerEntries<Kind> = Record<string, TrackerEntry<Kind>>

/** Merges by name, so that a project can name another project of a tracker that the user has set. */
export function mergeTrackers<Kind>(user: TrackerEntries<Kind>, project: TrackerEntries<Kind>): TrackerEntries<Kind> {
  const merged = new Map(Object.entries(user))
  for (const [name, entry] of Object.entries(project)) merged.set(name, { ...merged.get(name), ...entry })
  return Object.fromEntries(merged)
}

/** The variable with the token of a tracker: `STUDIO_TRACKER_TOKEN_GH`. */
export function getTokenVariable(name: string): string {
  return `STUDIO_TRACKER_TOKEN_${name.toUpperCase().replaceAll('-', '_')}`
}

/** The variable with the command that prints the token of a tracker: `STUDIO_TRACKER_TOKEN_COMMAND_GH`. */
export function getCommandVariable(name: string): string {
  return getTokenVariable(`command-${name}`)
}

/** What the settings of a tracker besides the default one are called. */
/** What the settings of a further tracker are called, so that an error says which one to change. */
export function getSettingNames(name: string) {
  const setting = (key: string) => `trackers.${name}.${key}`
  return {
    token: getTokenVariable(name),
    tokenCommand: setting('tokenCommand'),
    url: setting('url'),
    project: setting('project'),
    account: setting('account'),
    board: setting('board'),
    login: `studio login ${name}`,
  }
}

/** The settings of each tracker besides the default one, in the order of their names, with the token of its own variable or address. */
export function resolveFurtherTrackers<Kind>(
  entries: TrackerEntries<Kind>,
  { env, paths }: { env: NodeJS.ProcessEnv; paths: Paths },
) {
  const names = Object.keys(entries).sort()
  return names.map((name) => {
    const { kind = null, url, ...others } = entries[name]!
    const tokenCommand = env[getCommandVariable(name)] || others.tokenCommand || null
    const { project = null, account = null, board = null, typeLabels = [] } = others
    if (url === undefined) throw createMissingAddressError(name)
    return {
      name,
      kind,
      url,
      ...findTrackerCredential(paths, stripCredentials(url), env[getTokenVariable(name)]),
      tokenCommand,
      proxy: readProxySettings(env),
      project,
      account,
      board,
      typeLabels,
      settingNames: getSettingNames(name),
    }
  })
}

function createMissingAddressError(name: string): StudioError {
  return new StudioError('invalid', `The tracker "${name}" has no address: trackers.${name}.url is not set.`, {
    hint: `studio config set trackers.${name}.url <url>; to remove the tracker: studio config set trackers.${name} --unset`,
  })
}
