import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { z } from 'zod'
import { errorCodeOf, StudioError } from '../../kernel/errors'
import { getLocalAppData } from '../../kernel/files/local-app-data'
import { parseJson } from '../../kernel/json'
import { commandToAllow } from '../../kernel/text/shell'

/** Where settings come from: the variables, and the folder of the command. */
export interface SettingsSource {
  env: NodeJS.ProcessEnv
  cwd: string
}

/** The folders of studio's files: the XDG folders, or one folder in STUDIO_HOME. */
export interface Paths {
  data: string
  config: string
  state: string
}

export function resolvePaths(env: NodeJS.ProcessEnv): Paths {
  const home = env['STUDIO_HOME']
  if (home) return { data: home, config: home, state: join(home, 'state') }
  if (process.platform === 'win32') {
    const folder = join(getLocalAppData(env, homedir()), 'studio')
    return { data: folder, config: folder, state: join(folder, 'state') }
  }
  // The specification of these variables says that a relative path is ignored.
  const choose = (set: string | undefined, ...usual: string[]) =>
    join(set && isAbsolute(set) ? set : join(findHome(), ...usual), 'studio')
  return {
    data: choose(env['XDG_DATA_HOME'], '.local', 'share'),
    config: choose(env['XDG_CONFIG_HOME'], '.config'),
    state: choose(env['XDG_STATE_HOME'], '.local', 'state'),
  }
}

/** The home of the user. An empty or relative HOME would scatter files over the folders in which commands run. */
function findHome(): string {
  for (const find of [homedir, () => userInfo().homedir]) {
    try {
      const home = find()
      if (isAbsolute(home)) return home
    } catch {
      // The account has no entry in the list of users, as in a container with an arbitrary user ID.
    }
  }
  throw new StudioError('invalid', 'This account has no home folder.', {
    hint: 'Set STUDIO_HOME to a folder that you may write to.',
  })
}

/** The hashes of the project files that the user trusts. */
export function getTrustFile(paths: Paths): string {
  return join(paths.state, 'trusted-projects.json')
}

/** Editors on Windows may begin a file with one. */
const BYTE_ORDER_MARK = /^\ufeff/

/** The text of a settings file; null if there is no such file. Throws `invalid` for anything else that cannot be read as a file. */
export function readConfigFile(path: string): string | null {
  try {
    // Reading a named pipe would wait for a writer.
    if (statSync(path).isFile()) return readFileSync(path, 'utf8').replace(BYTE_ORDER_MARK, '')
  } catch (error) {
    const code = errorCodeOf(error)
    if (/^(ENOENT|ENOTDIR)$/.test(code)) return null
    const isDenied = /^(EACCES|EPERM)$/.test(code)
    throw new StudioError('invalid', `${path} cannot be read: ${code}.`, {
      hint: `${isDenied ? `Make the file readable: ${commandToAllow(path, 'file')}. Or set` : 'Set'} STUDIO_HOME to your own folder.`,
      places: [{ text: path, name: 'a settings file' }],
      cause: error,
    })
  }
  throw new StudioError('invalid', `${path} is not a regular file.`, {
    hint: 'Remove it, or replace it with a regular file.',
    places: [{ text: path, name: 'a settings file' }],
  })
}

/** The content of a file that studio itself writes; null if there is no such file. */
export function readStoredFile<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  hint: string,
): z.output<Schema> | null {
  const text = readConfigFile(path)
  if (text === null) return null
  const parsed = schema.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  throw new StudioError('invalid', `${path} has an unexpected format.`, {
    hint,
    places: [{ text: path, name: 'a settings file' }],
  })
}

/**
 * The real path, as the file system spells it, of the `studio.config.json` of the folder, or of the nearest one above it that has one. The search stops at a file or a
 * link that another user owns: in a folder that others can write to, anyone could leave one.
 */
export function findProjectFile(cwd: string): string | null {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const candidate = join(folder, 'studio.config.json')
    const owners = listOwners(candidate)
    if (owners) {
      const user = process.getuid?.()
      return user !== undefined && owners.some((owner) => owner !== user) ? null : realpathSync.native(candidate)
    }
    if (dirname(folder) === folder) return null
  }
}

/** Who owns a file, and a link that leads to it; null if there is none. */
function listOwners(path: string): number[] | null {
  try {
    return [lstatSync(path).uid, statSync(path).uid]
  } catch {
    return null
  }
}
