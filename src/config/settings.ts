import { existsSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import * as z from 'zod'
import { detailsOf, StudioError } from '../kernel'
import { isPostgresAddress, parsePostgresAddress } from '../storage'
import { type Paths, pathsOf } from './paths'

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })

/** What the two settings files may say; both are optional, and so is every entry. */
const SettingsFile = z.strictObject({
  db: z.string().min(1).optional(),
  user: z.string().min(1).optional(),
  tenant: z.string().min(1).optional(),
  tracker: z.strictObject({ url: httpUrl.optional(), project: z.string().min(1).optional() }).optional(),
  serve: z.strictObject({ host: z.string().min(1).optional(), port: z.int().min(0).max(65535).optional() }).optional(),
})
type SettingsFile = z.infer<typeof SettingsFile>

export interface Settings {
  paths: Paths
  /** The database: a file's path, or a `postgres://` address, which may hold a password. */
  db: string
  /** The database to move to where the command names none, in the same form. */
  dbTo: string | null
  tracker: { url: string | null; project: string | null; token: string | null }
  serve: { host: string; port: number }
  /** Who `@me` is; null when nobody said. */
  user: string | null
  /** Whose docks the command line works on. */
  tenant: string
}

/** Flags > STUDIO_* variables > the nearest `studio.config.json` at or above the folder > the user's own file. */
export function loadSettings(source: {
  env: NodeJS.ProcessEnv
  cwd: string
  flags?: { tenant?: string; host?: string; port?: number }
}): Settings {
  const { env, cwd, flags = {} } = source
  const paths = pathsOf(env)
  const project = nearestProjectFile(cwd)
  const file = mergeFiles(readSettingsFile(join(paths.config, 'config.json')), project ? readSettingsFile(project) : {})
  const token = env['STUDIO_TRACKER_TOKEN'] || null
  return {
    paths,
    db: databaseAddress(env['STUDIO_DB'] || file.db || join(paths.data, 'studio.db'), { cwd, name: 'STUDIO_DB' }),
    dbTo: env['STUDIO_DB_TO'] ? databaseAddress(env['STUDIO_DB_TO'], { cwd, name: 'STUDIO_DB_TO' }) : null,
    tracker: {
      url: variableUrl(env, 'STUDIO_TRACKER_URL') ?? file.tracker?.url ?? null,
      project: env['STUDIO_TRACKER_PROJECT'] || file.tracker?.project || null,
      token,
    },
    serve: {
      host: flags.host ?? (env['STUDIO_HOST'] || file.serve?.host || '127.0.0.1'),
      port: flags.port ?? variablePort(env, 'STUDIO_PORT') ?? file.serve?.port ?? 4317,
    },
    user: env['STUDIO_USER'] || file.user || null,
    tenant: flags.tenant ?? (env['STUDIO_TENANT'] || file.tenant || 'default'),
  }
}

/** What a database is opened by: an absolute path, or a `postgres://` address as it was given. Never tells the text, for its password. */
export function databaseAddress(text: string, { cwd, name }: { cwd: string; name: string }): string {
  if (isPostgresAddress(text)) {
    if (parsePostgresAddress(text)) return text
    throw new StudioError('invalid', `${name} is not an address that can be read.`, {
      hint: 'Write it as postgres://user:password@host:5432/database, with %40 for @, %2F for / and so on in the password.',
    })
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) {
    throw new StudioError('invalid', `${name} must be the path of a file or a postgres:// address.`, {
      hint: `Set ${name} to a path such as ./studio.db, or to postgres://user@host/database.`,
    })
  }
  return isAbsolute(text) ? text : resolve(cwd, text)
}

function nearestProjectFile(cwd: string): string | null {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const candidate = join(folder, 'studio.config.json')
    if (existsSync(candidate)) return candidate
    if (dirname(folder) === folder) return null
  }
}

function readSettingsFile(path: string): SettingsFile {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return {}
    throw new StudioError('invalid', `The settings file ${path} cannot be read.`, { cause: error })
  }
  const parsed = SettingsFile.safeParse(parseJson(text, path))
  if (parsed.success) return parsed.data
  const details = detailsOf(parsed.error)
  throw new StudioError('invalid', `${path}: ${details.map((d) => `${d.path}: ${d.message}`).join('; ')}`, {
    details,
    hint: `Mend the file ${path}.`,
  })
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new StudioError('invalid', `The settings file ${path} is not JSON.`, {
      hint: `Mend the file ${path}.`,
      cause: error,
    })
  }
}

function mergeFiles(user: SettingsFile, project: SettingsFile): SettingsFile {
  return {
    ...user,
    ...project,
    tracker: { ...user.tracker, ...project.tracker },
    serve: { ...user.serve, ...project.serve },
  }
}

function variableUrl(env: NodeJS.ProcessEnv, name: string): string | null {
  const value = env[name]
  if (!value) return null
  if (httpUrl.safeParse(value).success) return value
  throw new StudioError('invalid', `${name} must be an http or https address.`, {
    hint: `For example: export ${name}=https://tracker.example.com/organization`,
  })
}

function variablePort(env: NodeJS.ProcessEnv, name: string): number | null {
  const value = env[name]
  if (!value) return null
  const port = Number(value)
  if (Number.isInteger(port) && port >= 0 && port <= 65535) return port
  throw new StudioError('invalid', `${name} must be a port between 0 and 65535.`)
}
