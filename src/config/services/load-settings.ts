import { dirname, isAbsolute, join, resolve } from 'node:path'
import { StudioError } from '../../kernel'
import { isMailbox } from '../../kernel/text/mailbox'
import { commandToSet } from '../../kernel/text/shell'
import type { OptionalKind } from '../../sanitize'
import { followLink, isPostgresAddress, parsePostgresAddress } from '../../storage'
import { TRACKER_KINDS } from '../../tracker/adapters'
import { loadAuthSettings } from './auth-settings'
import { findTrackerCredential, readModelToken, stripCredentials } from './credentials'
import { environmentVariables, parseChoice } from './environment-variables'
import { mergeTrackers, resolveFurtherTrackers } from './further-trackers'
import { findProjectFile, type Paths, readConfigFile, resolvePaths, type SettingsSource } from './paths'
import { isTrustNeeded, type ProjectFile, requireTrust } from './project-trust'
import { readProxySettings } from './proxy-settings'
import { isNetwork, loadServeSettings, parseNumber, parseSwitch, type ServeFlags } from './serve-settings'
import {
  getValueAt,
  httpUrl,
  isProjectName,
  isTypeLabel,
  KeepDays,
  LlmApi,
  listSettingSchemas,
  listTrackerNames,
  PROJECT_RULE,
  readSettingsParts,
  SanitizeKind,
  type SettingsFile,
  type SettingsFileParts,
  smtpUrl,
} from './settings-file'

const DEFAULT_LLM_HOST = 'http://127.0.0.1:11434'

type SettingFlags = ServeFlags & { tenant?: string }

export type Settings = ReturnType<typeof loadSettings>

/**
 * Flags > STUDIO_* variables > the nearest `studio.config.json` at or above the folder > the user's own file. What only some commands use
 * is read when it is used first, so that a wrong value there fails no other command.
 */
export function loadSettings(source: SettingsSource & { flags?: SettingFlags }) {
  const { env, cwd, flags = {} } = source
  const paths = resolvePaths(env)
  const project = findProjectFile(cwd)
  const userPath = join(paths.config, 'config.json')
  const user = readSettingsParts(userPath)
  const ofProject = project ? readSettingsParts(project) : EMPTY_FILE
  const [userFile, projectFile] = [user.content, ofProject.content]
  if (project) {
    const { keys, ...file } = readProjectFile(project)
    requireTrust(
      { ...file, keys: keys.filter((key) => isEffective(key, { env, flags, projectFile, userFile })) },
      paths,
    )
  }
  const file = mergeFiles(userFile, projectFile)
  const namedDb = resolveDatabase([
    { address: env['STUDIO_DB'], folder: cwd, name: 'STUDIO_DB' },
    { address: projectFile.db, folder: project && dirname(project), name: `db in ${project}` },
    { address: userFile.db, folder: paths.config, name: `db in ${userPath}` },
    { address: 'studio.db', folder: paths.data, name: 'the default' },
  ])
  const db = followIfFile(namedDb)
  /** Reads a part when it is used first. Throws if its sections in the files are invalid. */
  const readLater = <T>(sections: readonly string[], read: () => T) =>
    memoize(() => {
      for (const name of sections) {
        const error = ofProject.invalid.get(name) ?? user.invalid.get(name)
        if (error) throw error
      }
      return read()
    })
  const serve = readLater(['serve'], () => loadServeSettings(source, flags, file.serve))
  const parts = {
    tracker: readLater(['tracker'], () => readTrackerSettings(env, file, paths)),
    trackers: readLater(['trackers'], () => resolveFurtherTrackers(file.trackers ?? {}, { env, paths })),
    llm: readLater(['llm'], () => readModelSettings(env, file, paths)),
    serve,
    auth: readLater(['auth'], () => {
      const ofUser = { path: userPath, auth: userFile.auth }
      const { publicUrl } = serve()
      return loadAuthSettings(
        { ...source, publicUrl },
        project ? { path: project, auth: projectFile.auth } : null,
        ofUser,
      )
    }),
    mailServer: readLater(['smtp'], () => readMailServer(env) ?? file.smtp?.url ?? null),
    sender: readLater(['smtp'], () => readSender(env) ?? file.smtp?.from ?? null),
    networks: readLater(['webhooks'], () => readNetworks(env) ?? file.webhooks?.allowedNetworks ?? []),
    keepDays: readLater(['audit'], () => readKeepDays(env) ?? file.audit?.keepDays ?? DEFAULT_KEEP_DAYS),
    dbTo: memoize(() =>
      env['STUDIO_DB_TO'] ? resolveDatabaseAddress(env['STUDIO_DB_TO'], { cwd, name: 'STUDIO_DB_TO' }) : null,
    ),
  }
  return {
    paths,
    /** The database: the path of a file, or a `postgres://` address, which may contain a password. */
    db,
    /** Whether the settings name a link to it. */
    isDbLinked: db !== namedDb,
    /** The address of servers that copy the database, for operations that only read; null for none. */
    dbRead: requireReplicas(env['STUDIO_DB_READ'] || file.dbRead || null, db),
    /** The default target of `studio db migrate`, in the same form. */
    get dbTo() {
      return parts.dbTo()
    },
    get tracker() {
      return parts.tracker()
    },
    /** The trackers besides the default one, in the order of their names. */
    get trackers() {
      return parts.trackers()
    },
    get llm() {
      return parts.llm()
    },
    get serve() {
      return parts.serve()
    },
    get auth() {
      return parts.auth()
    },
    /** The mail server that sends events to e-mail addresses. Its address may contain a password. */
    mail: {
      get url() {
        return parts.mailServer()
      },
      get from() {
        return parts.sender()
      },
    },
    webhooks: {
      /** Networks that webhooks may be sent to besides the public Internet. */
      get allowedNetworks() {
        return parts.networks()
      },
    },
    audit: {
      /** How long the entries of the audit are stored. */
      get keepDays() {
        return parts.keepDays()
      },
    },
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

const DEFAULT_KEEP_DAYS = 365

function readKeepDays(env: NodeJS.ProcessEnv): number | null {
  return parseNumber(env, 'STUDIO_AUDIT_KEEP_DAYS', KeepDays, 'a number of days')
}

const EMPTY_FILE: SettingsFileParts = { content: {}, invalid: new Map() }

function memoize<T>(read: () => T): () => T {
  let value: { read: T } | null = null
  return () => {
    value ??= { read: read() }
    return value.read
  }
}

function readTrackerSettings(env: NodeJS.ProcessEnv, file: SettingsFile, paths: Paths) {
  const url = readUrlVariable(env, 'STUDIO_TRACKER_URL') ?? file.tracker?.url ?? null
  return {
    /** Null if the address decides. */
    kind: parseChoice(env['STUDIO_TRACKER_KIND'], 'STUDIO_TRACKER_KIND', TRACKER_KINDS) ?? file.tracker?.kind ?? null,
    url,
    /** The token, and whether a stored sign-in is used because there is none. */
    ...findTrackerCredential(paths, url && stripCredentials(url), env['STUDIO_TRACKER_TOKEN']),
    /** A command that prints a token, for a tracker without a token and a sign-in; null for none. */
    tokenCommand: env['STUDIO_TRACKER_TOKEN_COMMAND'] || file.tracker?.tokenCommand || null,
    /** The proxies of its requests; null for direct connections. */
    proxy: readProxySettings(env),
    project: readProjectVariable(env) ?? file.tracker?.project ?? null,
    /** Jira Cloud: the e-mail address that the token belongs to; null for none. */
    account: env['STUDIO_TRACKER_ACCOUNT'] || file.tracker?.account || null,
    /** GitHub: the number of the project board; null for none. */
    board: readBoardVariable(env) ?? file.tracker?.board ?? null,
    /** GitHub: labels that mean a work item type, as `label=Type`. */
    typeLabels: readTypeLabels(env) ?? file.tracker?.typeLabels ?? [],
    /** Whether to print a notice if the sandbox is used because `url` is not set. */
    hasSandboxNotice: (parseSwitch(env, 'STUDIO_SANDBOX_NOTICE') ?? file.tracker?.sandboxNotice) !== 'off',
  }
}

function readModelSettings(env: NodeJS.ProcessEnv, { llm = {} }: SettingsFile, paths: Paths) {
  const host = readUrlVariable(env, 'STUDIO_LLM_HOST', DEFAULT_LLM_HOST) ?? llm.host ?? DEFAULT_LLM_HOST
  return {
    host,
    /** Null for the first installed model. */
    model: env['STUDIO_LLM_MODEL'] || llm.model || null,
    api: parseChoice(env['STUDIO_LLM_API'], 'STUDIO_LLM_API', LlmApi.options) ?? llm.api ?? 'ollama',
    token: env['STUDIO_LLM_TOKEN'] || readModelToken(paths, stripCredentials(host)),
    /** A command that prints a token, if no token is set; null for none. */
    tokenCommand: env['STUDIO_LLM_TOKEN_COMMAND'] || llm.tokenCommand || null,
  }
}

function readProjectVariable(env: NodeJS.ProcessEnv): string | null {
  const text = env['STUDIO_TRACKER_PROJECT']
  if (!text) return null
  if (isProjectName(text)) return text
  throw new StudioError('invalid', `STUDIO_TRACKER_PROJECT ${PROJECT_RULE}: "${text}".`)
}

/** Reads a project file and lists its settings that need trust. */
export function readProjectFile(path: string): ProjectFile {
  const text = readConfigFile(path) ?? ''
  const { content } = readSettingsParts(path)
  const keys = listSettingSchemas(listTrackerNames(content)).flatMap(([key, field]) =>
    isTrustNeeded(field, getValueAt(content, key)) ? [key] : [],
  )
  return { path, text, keys }
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
const fileKeys = ['db', 'auth.jwt.publicKeyFile', 'auth.jwt.secretFile', 'auth.oidc.clientSecretFile']

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
    hint: `For example: ${commandToSet(name, example)}`,
  })
}

function readMailServer(env: NodeJS.ProcessEnv): string | null {
  const value = env['STUDIO_SMTP_URL']
  if (!value) return null
  if (smtpUrl.safeParse(value).success) return value
  throw new StudioError('invalid', 'STUDIO_SMTP_URL must be an smtps or smtp address.', {
    hint: `For example: ${commandToSet('STUDIO_SMTP_URL', 'smtps://user:password@mail.example.com')}`,
  })
}

function readSender(env: NodeJS.ProcessEnv): string | null {
  const value = env['STUDIO_SMTP_FROM']
  if (!value) return null
  if (isMailbox(value)) return value
  throw new StudioError('invalid', 'STUDIO_SMTP_FROM must be an e-mail address, with or without a name.', {
    hint: `For example: ${commandToSet('STUDIO_SMTP_FROM', 'Docks <docks@example.com>')}`,
  })
}

/** The first address that is set. A relative path in a settings file is relative to that file, because any folder may have a file of that name. */
function resolveDatabase(places: { address: string | undefined; folder: string | null; name: string }[]): string {
  const { address, folder, name } = places.find((place) => place.address)!
  return toAbsoluteAddress(address!, { cwd: folder!, name })
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

/**
 * Returns the absolute path of the file, after following a link to it, or a `postgres://` address unchanged. Errors never include it,
 * because it may contain a password.
 */
export function resolveDatabaseAddress(text: string, place: { cwd: string; name: string }): string {
  return followIfFile(toAbsoluteAddress(text, place))
}

function followIfFile(address: string): string {
  return isPostgresAddress(address) ? address : followLink(address)
}

function toAbsoluteAddress(text: string, { cwd, name }: { cwd: string; name: string }): string {
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
