import { join, resolve } from 'node:path'
import { isRecord, parseJson } from '../../kernel/json'
import { detectTrackerKind, TRACKER_KINDS, type TrackerKind } from '../../tracker/adapters'
import { environmentVariables } from './environment-variables'
import { findProjectFile, readConfigFile, resolvePaths, type SettingsSource } from './paths'

/** The settings of a search that does not open the database. */
export interface SearchSettings {
  /** The path of the database file. */
  database: string
  /** Whether the search index is stored in files beside the database. */
  isIndexed: boolean
  /** The user that `@me` means; null if not set. */
  user: string | null
  /** The tenant from the settings files; null if not set. */
  tenant: string | null
  /** The kinds of the default tracker and of the further ones. */
  trackerKinds: TrackerKind[]
}

/**
 * Reads the same values as `loadSettings`, but without loading the schema. Returns null for a database on a server, and for any content
 * that `loadSettings` might refuse.
 */
export function readSearchSettings({ env, cwd }: SettingsSource): SearchSettings | null {
  const paths = resolvePaths(env)
  const project = findProjectFile(cwd)
  const own = readPlainFile(join(paths.config, 'config.json'))
  const ofProject = project === null ? {} : readPlainFile(project)
  if (own === null || ofProject === null || !hasPlainVariables(env)) return null
  // Whether the file is trusted is decided with the schema.
  if (Object.keys(ofProject).some((key) => !FREE_SETTINGS.includes(key))) return null
  const index = env['STUDIO_SEARCH_INDEX'] || (ofProject.search ?? own.search)?.index || 'on'
  const database = env['STUDIO_DB'] || own.db || 'studio.db'
  const folder = env['STUDIO_DB'] ? cwd : own.db ? paths.config : paths.data
  const user = env['STUDIO_USER'] || ofProject.user || own.user || null
  if (hasScheme(database)) return null
  return {
    database: resolve(folder, database),
    isIndexed: index === 'on',
    user,
    tenant: own.tenant || null,
    trackerKinds: listTrackerKinds(own, env),
  }
}

/** Settings of a project file that need no trust. */
const FREE_SETTINGS = ['user', 'search']

interface PlainFile {
  db?: string
  user?: string
  tenant?: string
  search?: { index?: string }
  tracker?: PlainTracker
  trackers?: Record<string, PlainTracker>
}

interface PlainTracker {
  kind?: TrackerKind
  url?: string
}

function listTrackerKinds({ tracker, trackers = {} }: PlainFile, env: NodeJS.ProcessEnv): TrackerKind[] {
  const url = env['STUDIO_TRACKER_URL'] || tracker?.url
  const kind = (env['STUDIO_TRACKER_KIND'] as TrackerKind | undefined) || tracker?.kind
  return [{ url, kind }, ...Object.values(trackers)].map((each) => each.kind ?? detectTrackerKind(each.url ?? ''))
}

function readPlainFile(path: string): PlainFile | null {
  const text = readConfigFile(path)
  if (text === null) return {}
  const file = parseJson(text)
  return isPlainContent('', file) ? (file as PlainFile) : null
}

const isNonEmpty = (text: string) => text !== ''
const isPlainAddress = (text: string) => /^https?:\/\/[\w.:/-]+$/.test(text) && URL.canParse(text)
const isOneOf =
  (...choices: string[]) =>
  (text: string) =>
    choices.includes(text)

/** Settings and checks whose values the schema is certain to accept. */
const plainSettings: Record<string, (text: string) => boolean> = {
  db: isNonEmpty,
  user: isNonEmpty,
  tenant: isNonEmpty,
  'search.index': isOneOf('on', 'off'),
  'tracker.url': isPlainAddress,
  'tracker.project': isNonEmpty,
  'tracker.account': isNonEmpty,
  'tracker.kind': isOneOf(...TRACKER_KINDS),
  'llm.host': isPlainAddress,
  'llm.model': isNonEmpty,
  'llm.api': isOneOf('ollama', 'openai'),
  'serve.host': isNonEmpty,
}

/** The same for variables, whose values are always text. */
const plainVariables: typeof plainSettings = {
  ...plainSettings,
  'serve.port': (text) => /^\d{1,4}$/.test(text),
  'serve.log': isOneOf('json', 'pretty', 'off'),
  'serve.metrics': isOneOf('on', 'off'),
}

function isPlainContent(key: string, value: unknown): boolean {
  if (typeof value === 'string') return plainSettings[key]?.(value) ?? false
  if (!isRecord(value)) return false
  if (key === 'trackers') return Object.entries(value).every(([name, entry]) => isPlainTracker(name, entry))
  const isSection = key === '' || Object.keys(plainSettings).some((known) => known.startsWith(`${key}.`))
  return (
    isSection && Object.entries(value).every(([name, inner]) => isPlainContent(key ? `${key}.${name}` : name, inner))
  )
}

/** A further tracker needs an address. */
function isPlainTracker(name: string, entry: unknown): boolean {
  const isPlainName = /^[a-z][a-z0-9-]{0,19}$/.test(name) && !/^(default|https?)$/.test(name)
  return isPlainName && isRecord(entry) && entry['url'] !== undefined && isPlainContent('tracker', entry)
}

function hasPlainVariables(env: NodeJS.ProcessEnv): boolean {
  if (hasScheme(env['STUDIO_DB_TO'] ?? '')) return false
  return environmentVariables.every(
    ({ name, key }) => !key || !env[name] || (plainVariables[key]?.(env[name]) ?? false),
  )
}

function hasScheme(database: string): boolean {
  return /^[a-z][a-z0-9+.-]+:/i.test(database)
}
