import { existsSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import * as z from 'zod'
import { detailsOf, StudioError } from '../kernel'
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
  /** The database file. */
  db: string
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
    db: absolute(env['STUDIO_DB'] || file.db || join(paths.data, 'studio.db'), cwd),
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

function absolute(path: string, cwd: string): string {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) {
    throw new StudioError('invalid', 'STUDIO_DB must be the path of a file.', {
      hint: 'Set STUDIO_DB to a path such as ./studio.db, or leave it unset.',
    })
  }
  return isAbsolute(path) ? path : resolve(cwd, path)
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
