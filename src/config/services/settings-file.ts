import * as z from 'zod'
import { detailsOf, StudioError, wordsFor } from '../../kernel'
import { isRecord, parseJson } from '../../kernel/json'
import { isMailbox } from '../../kernel/text/mailbox'
import type { OptionalKind } from '../../sanitize'
import { TRACKER_KINDS } from '../../tracker/adapters'
import { AuthFile } from './auth-settings'
import { TrackerName } from './further-trackers'
import { readConfigFile } from './paths'
import { needsNoTrust } from './project-trust'
import { isNetwork, ServeFile } from './serve-settings'

export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })

export const smtpUrl = z.url({ protocol: /^smtps?$/, error: 'must be an smtps or smtp address' })

export const Sender = z
  .string()
  .refine(isMailbox, 'must be an e-mail address, also with a name: Docks <docks@example.com>')

export function isTypeLabel(pair: string): boolean {
  const at = pair.lastIndexOf('=')
  return at > 0 && at < pair.length - 1
}

const TokenCommand = z.string().min(1).max(4_000)

const TrackerKind = z.enum(TRACKER_KINDS)

export const LlmApi = z.enum(['ollama', 'openai'])

export const SanitizeKind = z.enum({
  iban: 'iban',
  card: 'card',
  'national-id': 'national-id',
  ip: 'ip',
  mac: 'mac',
} satisfies { [Kind in OptionalKind]: Kind })

export const KeepDays = z.int().min(1).max(36_500)

const Network = z.string().refine(isNetwork, 'must be an address or a network such as 10.0.0.0/8')

/** A project becomes a part of addresses, where these characters and names lead to another place than the one that is written. */
export function isProjectName(project: string): boolean {
  const leadsElsewhere = /[\\?#\u0000-\u001f\u007f]|%[0-9a-f]{2}/i.test(project)
  return !leadsElsewhere && project.split('/').every((part) => part.trim() !== '.' && part.trim() !== '..')
}

export const PROJECT_RULE =
  'must be the name of a project, without \\, ?, #, %20 and the like, and without . and .. as a part'

/** On GitHub, a project may be `owner/repository`, which sends data elsewhere. No project of another tracker has a slash. */
function namesOwner(project: unknown): boolean {
  return String(project).includes('/')
}

const WHERE = 'Requests are sent to the address, so it must be trusted.'

/** What the settings of the default tracker and of each further one have in common. */
const trackerEntries = {
  kind: needsNoTrust(TrackerKind.optional(), WHERE),
  url: httpUrl.optional(),
  project: needsNoTrust(
    z.string().min(1).refine(isProjectName, PROJECT_RULE).optional(),
    WHERE,
    (project) => !namesOwner(project),
  ),
  account: z.string().min(1).optional(),
  tokenCommand: TokenCommand.optional(),
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
      also: needsNoTrust(z.array(SanitizeKind).optional(), 'It can only remove more from copies, never less.'),
    })
    .optional(),
  search: z
    .strictObject({
      index: needsNoTrust(z.enum(['on', 'off']).optional(), 'A search finds the same items without an index.'),
    })
    .optional(),
  tracker: z
    .strictObject({
      ...trackerEntries,
      sandboxNotice: needsNoTrust(z.enum(['on', 'off']).optional(), 'The sandbox contains no user data.'),
    })
    .optional(),
  /** Further trackers by their names. */
  trackers: z.record(TrackerName, z.strictObject(trackerEntries)).optional(),
  llm: z
    .strictObject({
      host: httpUrl.optional(),
      // Some servers pass the stories for a model on to another host.
      model: z.string().min(1).optional(),
      api: needsNoTrust(LlmApi.optional(), 'Stories are sent to the host, so it must be trusted.'),
      tokenCommand: TokenCommand.optional(),
    })
    .optional(),
  smtp: z.strictObject({ url: smtpUrl.optional(), from: Sender.optional() }).optional(),
  webhooks: z.strictObject({ allowedNetworks: z.array(Network).max(100).optional() }).optional(),
  audit: z.strictObject({ keepDays: KeepDays.optional() }).optional(),
  serve: ServeFile.optional(),
  auth: AuthFile.optional(),
})
export type SettingsFile = z.infer<typeof SettingsFile>

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

export function getValueAt(content: object, key: string): unknown {
  return key.split('.').reduce<unknown>((at, name) => {
    // The name of a tracker may be that of an inherited property.
    return isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined
  }, content)
}

/** Sections that some commands do not use. A wrong value in one of them is an error of the commands that do. */
const DEFERRED_SECTIONS = ['tracker', 'trackers', 'llm', 'smtp', 'webhooks', 'audit', 'serve', 'auth']

export interface SettingsFileParts {
  /** Without the invalid sections. */
  content: SettingsFile
  /** The error of each invalid section, by its name. */
  invalid: ReadonlyMap<string, StudioError>
}

export function readSettingsFile(path: string): SettingsFile {
  return readSettingsParts(path, { allowsInvalid: false }).content
}

export function readSettingsParts(path: string, { allowsInvalid = true } = {}): SettingsFileParts {
  const text = readConfigFile(path)
  if (text === null) return { content: {}, invalid: new Map() }
  const hint = `Correct the file ${path}.`
  const content = parseJson(text)
  if (content === undefined) throw new StudioError('invalid', `The settings file ${path} is not valid JSON.`, { hint })
  const parsed = SettingsFile.safeParse(content, { error: wordsFor, reportInput: true })
  if (parsed.success) return { content: parsed.data, invalid: new Map() }
  const sections = new Map<string, z.core.$ZodIssue[]>()
  for (const issue of parsed.error.issues) {
    const section = String(issue.path[0] ?? '')
    if (!allowsInvalid || isName(issue) || !DEFERRED_SECTIONS.includes(section))
      throw createFileError(path, parsed.error.issues)
    sections.set(section, [...(sections.get(section) ?? []), issue])
  }
  const valid = Object.entries(content as object).filter(([name]) => !sections.has(name))
  return {
    content: SettingsFile.parse(Object.fromEntries(valid)),
    invalid: new Map([...sections].map(([name, issues]) => [name, createFileError(path, issues)])),
  }
}

/** Whether the name of a setting is wrong, and not its value. */
function isName({ code }: z.core.$ZodIssue): boolean {
  return code === 'unrecognized_keys' || code === 'invalid_key'
}

function createFileError(path: string, issues: z.core.$ZodIssue[]): StudioError {
  const details = detailsOf(new z.ZodError(issues), 'is not a setting')
  const messages = details.map((detail) => (detail.path ? `${detail.path}: ${detail.message}` : detail.message))
  return new StudioError('invalid', `${path}: ${messages.join('; ')}.`, {
    details,
    hint: `Correct the file ${path}.`,
  })
}
