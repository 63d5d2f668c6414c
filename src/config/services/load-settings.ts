import { dirname, isAbsolute, join, resolve } from 'node:path'
import * as z from 'zod'
import { detailsOf, StudioError, wordsFor } from '../../kernel'
import { isRecord, parseJson } from '../../kernel/json'
import type { OptionalKind } from '../../sanitize'
import { isPostgresAddress, parsePostgresAddress } from '../../storage'
import { TRACKER_KINDS } from '../../tracker/services/tracker-kind'
import { AuthFile, loadAuthSettings } from './auth-settings'
import { readTrackerToken, stripCredentials } from './credentials'
import { environmentVariables, parseChoice } from './environment-variables'
import { mergeTrackers, resolveFurtherTrackers, TrackerName } from './further-trackers'
import { findProjectFile, readConfigFile, resolvePaths, type SettingsSource } from './paths'
import { isTrustNeeded, needsNoTrust, type ProjectFile, requireTrust } from './project-trust'
import { readProxySettings } from './proxy-settings'
import { isNetwork, loadServeSettings, parseSwitch, ServeFile, type ServeFlags } from './serve-settings'

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })

const smtpUrl = z.url({ protocol: /^smtps?$/, error: 'must be an smtps or smtp address' })

const DEFAULT_LLM_HOST = 'http://127.0.0.1:11434'

function isTypeLabel(pair: string): boolean {
  const at = pair.lastIndexOf('=')
  return at > 0 && at < pair.length - 1
}

const TrackerKind = z.enum(TRACKER_KINDS)

const LlmApi = z.enum(['ollama', 'openai'])

const SanitizeKind = z.enum({
  iban: 'iban',
  card: 'card',
  'national-id': 'national-id',
  ip: 'ip',
  mac: 'mac',
} satisfies { [Kind in OptionalKind]: Kind })

const Network = z.string().refine(isNetwork, 'must be an address or a network such as 10.0.0.0/8')

/** On GitHub, a project may be `owner/repository`, which sends data elsewhere. No project of another tracker has a slash. */
function namesOwner(project: unknown): boolean {
  return String(project).includes('/')
}

const WHERE = 'Requests go to the address, which needs trust.'

/** What the settings of the default tracker and of each further one have in common. */
const trackerEntries = {
  kind: needsNoTrust(TrackerKind.optional(), WHERE),
  url: httpUrl.optional(),
  project: needsNoTrust(z.string().min(1).optional(), WHERE, (project) => !namesOwner(project)),
  account: z.string().min(1).optional(),
  board: needsNoTrust(z.int().min(1).optional(), WHERE),
  typeLabels: needsNoTrust(
    z.array(z.string().refine(isTypeLabel, 'must have the form label=Type')).max(100).optional(),
    'Labels only name types.',
  ),
}

/**
 * The schema of both settings files. The files and all their entries are optional. A project file decides a setting only if the user
 * trusts it, or if the setting is marked as one that needs no trust.
 */
export const SettingsFile = z.strictObject({
  db: z.string().min(1).optional(),
  dbRead: z.string().min(1).optional(),
  user: needsNoTrust(z.string().min(1).optional(), 'It only says whom @me means.'),
  tenant: z.string().min(1).optional(),
  sanitize: z
    .strictObject({
      also: needsNoTrust(z.array(SanitizeKind).optional(), 'It can only add to what the user removes from copies.'),
    })
    .optional(),
  search: z
    .strictObject({
      index: needsNoTrust(z.enum(['on', 'off']).optional(), 'A search finds the same without an index.'),
    })
    .optional(),
  tracker: z
    .strictObject({
      ...trackerEntries,
      sandboxNotice: needsNoTrust(z.enum(['on', 'off']).optional(), 'The sandbox holds no data of the user.'),
    })
    .optional(),
  /** Further trackers by their names. */
  trackers: z.record(TrackerName, z.strictObject(trackerEntries)).optional(),
  llm: z
    .strictObject({
      host: httpUrl.optional(),
      // Some servers pass the stories for a model on to another host.
      model: z.string().min(1).optional(),
      api: needsNoTrust(LlmApi.optional(), 'Stories go to the host, which needs trust.'),
    })
    .optional(),
  smtp: z.strictObject({ url: smtpUrl.optional(), from: z.email().optional() }).optional(),
  webhooks: z.strictObject({ allowedNetworks: z.array(Network).max(100).optional() }).optional(),
  serve: ServeFile.optional(),
  auth: AuthFile.optional(),
})
export type SettingsFile = z.infer<typeof SettingsFile>

type SettingFlags = ServeFlags & { tenant?: string }

export type Settings = ReturnType<typeof loadSettings>

/** Flags > STUDIO_* variables > the nearest `studio.config.json` at or above the folder > the user's own file. */
export function loadSettings(source: SettingsSource & { flags?: SettingFlags }) {
  const { env, cwd, flags = {} } = source
  const paths = resolvePaths(env)
  const project = findProjectFile(cwd)
  const userPath = join(paths.config, 'config.json')
  const userFile = readSettingsFile(userPath)
  const projectFile = project ? readSettingsFile(project) : {}
  if (project) {
    const { keys, ...file } = readProjectFile(project)
    requireTrust(
      { ...file, keys: keys.filter((key) => isEffective(key, { env, flags, projectFile, userFile })) },
      paths,
    )
  }
  const file = mergeFiles(userFile, projectFile)
  const trackerUrl = readUrlVariable(env, 'STUDIO_TRACKER_URL') ?? file.tracker?.url ?? null
  const db = resolveDatabase([
    { address: env['STUDIO_DB'], folder: cwd, name: 'STUDIO_DB' },
    { address: projectFile.db, folder: project && dirname(project), name: `db in ${project}` },
    { address: userFile.db, folder: paths.config, name: `db in ${userPath}` },
    { address: 'studio.db', folder: paths.data, name: 'the default' },
  ])
  return {
    paths,
    /** The database: the path of a file, or a `postgres://` address, which may contain a password. */
    db,
    /** The address of servers that copy the database, for operations that only read; null for none. */
    dbRead: requireReplicas(env['STUDIO_DB_READ'] || file.dbRead || null, db),
    /** The default target of `studio db migrate`, in the same form. */
    dbTo: env['STUDIO_DB_TO'] ? resolveDatabaseAddress(env['STUDIO_DB_TO'], { cwd, name: 'STUDIO_DB_TO' }) : null,
    tracker: {
      /** Null if the address decides. */
      kind: parseChoice(env['STUDIO_TRACKER_KIND'], 'STUDIO_TRACKER_KIND', TRACKER_KINDS) ?? file.tracker?.kind ?? null,
      url: trackerUrl,
      token: env['STUDIO_TRACKER_TOKEN'] || (trackerUrl && readTrackerToken(paths, stripCredentials(trackerUrl))),
      /** The proxies of its requests; null for direct connections. */
      proxy: readProxySettings(env),
      project: env['STUDIO_TRACKER_PROJECT'] || file.tracker?.project || null,
      /** Jira Cloud: the e-mail address that the token belongs to; null for none. */
      account: env['STUDIO_TRACKER_ACCOUNT'] || file.tracker?.account || null,
      /** GitHub: the number of the project board; null for none. */
      board: readBoardVariable(env) ?? file.tracker?.board ?? null,
      /** GitHub: labels that mean a work item type, as `label=Type`. */
      typeLabels: readTypeLabels(env) ?? file.tracker?.typeLabels ?? [],
      /** Whether to print a notice if the sandbox is used because `url` is not set. */
      hasSandboxNotice: (parseSwitch(env, 'STUDIO_SANDBOX_NOTICE') ?? file.tracker?.sandboxNotice) !== 'off',
    },
    /** The trackers besides the default one, in the order of their names. */
    trackers: resolveFurtherTrackers(file.trackers ?? {}, { env, paths }),
    llm: {
      host: readUrlVariable(env, 'STUDIO_LLM_HOST', DEFAULT_LLM_HOST) ?? file.llm?.host ?? DEFAULT_LLM_HOST,
      /** Null for the first installed model. */
      model: env['STUDIO_LLM_MODEL'] || file.llm?.model || null,
      api: parseChoice(env['STUDIO_LLM_API'], 'STUDIO_LLM_API', LlmApi.options) ?? file.llm?.api ?? 'ollama',
    },
    serve: loadServeSettings(source, flags, file.serve),
    auth: loadAuthSettings(source, project ? { path: project, auth: projectFile.auth } : null, {
      path: userPath,
      auth: userFile.auth,
    }),
    /** The mail server that sends events to e-mail addresses. Its address may contain a password. */
    mail: {
      url: readMailServer(env) ?? file.smtp?.url ?? null,
      from: readSender(env) ?? file.smtp?.from ?? null,
    },
    /** Networks that webhooks may be sent to besides the public Internet. */
    webhookNetworks: readNetworks(env) ?? file.webhooks?.allowedNetworks ?? [],
    /** Kinds of the sanitizer that are off by default. */
    sanitizeAlso: readSanitizeKinds(env, [userFile, projectFile]),
    /** The user that `@me` means; null if not set. */
    user: env['STUDIO_USER'] || file.user || null,
    /** The tenant of the command line. */
    tenant: flags.tenant ?? (env['STUDIO_TENANT'] || file.tenant || 'default'),
    /** Whether the search index is stored in files beside the database. */
    searchIndex: (parseSwitch(env, 'STUDIO_SEARCH_INDEX') ?? file.search?.index ?? 'on') === 'on',
  }
}

/** Reads a project file and lists its settings that need trust. */
export function readProjectFile(path: string): ProjectFile {
  const text = readConfigFile(path) ?? ''
  const content = readSettingsFile(path)
  const keys = listSettingSchemas(listTrackerNames(content)).flatMap(([key, field]) =>
    isTrustNeeded(field, getValueAt(content, key)) ? [key] : [],
  )
  return { path, text, keys }
}

/** The schema of each setting, by its key: `tracker.url`, `auth.jwt.issuer`; `trackers.gh.url` for each of the names. */
export function listSettingSchemas(
  trackerNames: readonly string[] = [],
  schema: z.ZodObject = SettingsFile,
  prefix = '',
): [key: string, field: z.ZodType][] {
  return Object.entries(schema.shape).flatMap(([name, field]: [string, z.ZodType]): [string, z.ZodType][] => {
    const key = `${prefix}${name}`
    const inner = field instanceof z.ZodOptional ? field.unwrap() : field
    if (inner instanceof z.ZodObject) return listSettingSchemas(trackerNames, inner, `${key}.`)
    if (!(inner instanceof z.ZodRecord)) return [[key, field]]
    const entry = inner.valueType as z.ZodObject
    return trackerNames.flatMap((tracker) => listSettingSchemas(trackerNames, entry, `${key}.${tracker}.`))
  })
}

/** The names of the further trackers in the content of a settings file, in order. */
export function listTrackerNames({ trackers }: SettingsFile): string[] {
  return Object.keys(trackers ?? {}).sort()
}

/** Whether the project file decides a setting: no flag or variable overrides it, and the user's own file has another value. */
function isEffective(
  key: string,
  given: { env: NodeJS.ProcessEnv; flags: SettingFlags; projectFile: SettingsFile; userFile: SettingsFile },
): boolean {
  const { host, allowHost, log, metrics, tenant } = given.flags
  const flag = {
    'serve.host': host,
    'serve.allowedHosts': allowHost,
    'serve.log': log,
    'serve.metrics': metrics,
    tenant,
  }[key]
  const variable = environmentVariables.find((known) => known.key === key)?.name
  if (flag !== undefined || (variable && given.env[variable])) return false
  const value = getValueAt(given.projectFile, key)
  if (fileKeys.includes(key) && !isAbsolute(value as string) && !isPostgresAddress(value as string)) return true
  return JSON.stringify(value) !== JSON.stringify(getValueAt(given.userFile, key))
}

/** Settings whose relative path leads elsewhere from each settings file. */
const fileKeys = ['db', 'auth.jwt.publicKeyFile', 'auth.jwt.secretFile']

export function getValueAt(content: object, key: string): unknown {
  return key.split('.').reduce<unknown>((at, name) => {
    // The name of a tracker may be that of an inherited property.
    return isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined
  }, content)
}

export function readSettingsFile(path: string): SettingsFile {
  const text = readConfigFile(path)
  if (text === null) return {}
  const hint = `Correct the file ${path}.`
  const content = parseJson(text)
  if (content === undefined) throw new StudioError('invalid', `The settings file ${path} is not valid JSON.`, { hint })
  const parsed = SettingsFile.safeParse(content, { error: wordsFor, reportInput: true })
  if (parsed.success) return parsed.data
  const details = detailsOf(parsed.error, 'is not a setting')
  const messages = details.map((detail) => (detail.path ? `${detail.path}: ${detail.message}` : detail.message))
  throw new StudioError('invalid', `${path}: ${messages.join('; ')}.`, { details, hint })
}

/** Together, because a project may not make the copies of its user less clean. */
function readSanitizeKinds(env: NodeJS.ProcessEnv, files: readonly SettingsFile[]): OptionalKind[] {
  const named = (env['STUDIO_SANITIZE_ALSO'] ?? '').split(/[\s,]+/).filter(Boolean)
  const kinds = named.map((name) => {
    const kind = SanitizeKind.safeParse(name).data
    if (kind) return kind
    throw new StudioError('invalid', `STUDIO_SANITIZE_ALSO names an unknown kind: ${name}.`, {
      hint: `Use one or more of ${SanitizeKind.options.join(', ')}, separated by commas.`,
    })
  })
  return [...new Set([...kinds, ...files.flatMap((file) => file.sanitize?.also ?? [])])]
}

function readBoardVariable(env: NodeJS.ProcessEnv): number | null {
  const text = env['STUDIO_TRACKER_BOARD']
  if (!text) return null
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new StudioError('invalid', `STUDIO_TRACKER_BOARD must be the number of a project board, not "${text}".`)
}

function readTypeLabels(env: NodeJS.ProcessEnv): string[] | null {
  const pairs = (env['STUDIO_TRACKER_TYPE_LABELS'] ?? '').split(',').map((pair) => pair.trim())
  const named = pairs.filter(Boolean)
  if (named.every(isTypeLabel)) return named.length > 0 ? named : null
  throw new StudioError('invalid', 'STUDIO_TRACKER_TYPE_LABELS must be pairs such as us=Story, separated by commas.')
}

function readNetworks(env: NodeJS.ProcessEnv): string[] | null {
  const named = (env['STUDIO_WEBHOOK_NETWORKS'] ?? '').split(/[\s,]+/).filter(Boolean)
  if (named.every(isNetwork)) return named.length > 0 ? named : null
  throw new StudioError(
    'invalid',
    `STUDIO_WEBHOOK_NETWORKS must be addresses or networks such as 10.0.0.0/8, not "${named.join(' ')}".`,
  )
}

function mergeFiles(user: SettingsFile, project: SettingsFile): SettingsFile {
  return {
    ...user,
    ...project,
    tracker: { ...user.tracker, ...project.tracker },
    trackers: mergeTrackers(user.trackers ?? {}, project.trackers ?? {}),
    llm: { ...user.llm, ...project.llm },
    serve: { ...user.serve, ...project.serve },
  }
}

function readUrlVariable(
  env: NodeJS.ProcessEnv,
  name: string,
  example = 'https://tracker.example.com/organization',
): string | null {
  const value = env[name]
  if (!value) return null
  if (httpUrl.safeParse(value).success) return value
  throw new StudioError('invalid', `${name} must be an http or https address.`, {
    hint: `For example: export ${name}=${example}`,
  })
}

function readMailServer(env: NodeJS.ProcessEnv): string | null {
  const value = env['STUDIO_SMTP_URL']
  if (!value) return null
  if (smtpUrl.safeParse(value).success) return value
  throw new StudioError('invalid', 'STUDIO_SMTP_URL must be an smtps or smtp address.', {
    hint: 'For example: export STUDIO_SMTP_URL=smtps://user:password@mail.example.com',
  })
}

function readSender(env: NodeJS.ProcessEnv): string | null {
  const value = env['STUDIO_SMTP_FROM']
  if (!value) return null
  if (z.email().safeParse(value).success) return value
  throw new StudioError('invalid', 'STUDIO_SMTP_FROM must be an e-mail address.', {
    hint: 'For example: export STUDIO_SMTP_FROM=docks@example.com',
  })
}

/** The first address that is set. A relative path in a settings file is relative to that file, because any folder may have a file of that name. */
function resolveDatabase(places: { address: string | undefined; folder: string | null; name: string }[]): string {
  const { address, folder, name } = places.find((place) => place.address)!
  return resolveDatabaseAddress(address!, { cwd: folder!, name })
}

function requireReplicas(address: string | null, db: string): string | null {
  if (address === null) return null
  if (isPostgresAddress(address) && parsePostgresAddress(address) && isPostgresAddress(db)) return address
  throw new StudioError(
    'invalid',
    isPostgresAddress(db)
      ? 'STUDIO_DB_READ is not a valid postgres:// address.'
      : 'STUDIO_DB_READ works only with a database on a server.',
    {
      hint: isPostgresAddress(db)
        ? 'List the replicas: postgres://user:password@b:5432,c:5432/database, with %40 for @ and so on in the password.'
        : 'Set STUDIO_DB to a postgres:// address, or leave STUDIO_DB_READ out.',
    },
  )
}

/** Returns an absolute path, or a `postgres://` address unchanged. Errors never include it, because it may contain a password. */
export function resolveDatabaseAddress(text: string, { cwd, name }: { cwd: string; name: string }): string {
  if (isPostgresAddress(text)) {
    if (parsePostgresAddress(text)) return text
    throw new StudioError('invalid', `${name} is not a valid address.`, {
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
