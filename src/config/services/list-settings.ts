import { join } from 'node:path'
import * as z from 'zod'
import { StudioError } from '../../kernel'
import { isRecord, parseJson } from '../../kernel/json'
import { followLink, writeFileAtomic } from '../../storage'
import { getCredentialsFile, readModelToken, readTrackerToken, stripCredentials } from './credentials'
import { environmentVariables } from './environment-variables'
import { getTokenVariable, TrackerName } from './further-trackers'
import { findProjectFile, readConfigFile, resolvePaths, type SettingsSource } from './paths'
import { getValueAt, listSettingSchemas, listTrackerNames, readSettingsFile } from './settings-file'

/** A setting with its current value. */
export interface Setting {
  /** As in a settings file: `tracker.url`. */
  key: string
  /** Null if it is not set and has no default. */
  value: string | number | boolean | string[] | null
  /** `default`, the name of a variable, or the path of a file. */
  source: string
}

/** Every setting that a file can have, with its value and the source of it. Passwords in addresses are omitted. */
export function listSettings({ env, cwd }: SettingsSource): Setting[] {
  const files = [findProjectFile(cwd), getUserSettingsFile(env)].flatMap((path) =>
    path === null ? [] : [{ source: path, content: readSettingsFile(path) }],
  )
  const trackerNames = [...new Set(files.flatMap(({ content }) => listTrackerNames(content)))].sort()
  return listSettingKeys(trackerNames).map((key) => {
    const variable = environmentVariables.find((known) => known.key === key)
    const variableValue = variable && env[variable.name]
    if (variableValue) return { key, value: redactPassword(variableValue), source: variable.name }
    const layers = files.map(({ source, content }) => ({ source, value: getValueAt(content, key) }))
    // A project file can only make access stricter.
    const strict = key === 'auth.local' ? layers.find(({ value }) => value === false) : undefined
    const found = strict ?? layers.find(({ value }) => value !== undefined)
    const added = key === 'sanitize.also' ? layers.filter(({ value }) => value !== undefined) : []
    // A project file can only add to the kinds of the user.
    if (found && added.length > 1) {
      const kinds = [...new Set(added.flatMap(({ value }) => value as string[]))]
      return { key, value: kinds, source: added.map(({ source }) => source).join(', ') }
    }
    if (found) return { key, value: redactPassword(found.value), source: found.source }
    return { key, value: variable?.default ?? null, source: 'default' }
  })
}

/** The address of each tracker in the settings, as the key of its token. */
export function listTrackerAddresses(place: SettingsSource): string[] {
  const addresses = listSettings(place).flatMap(({ key, value }) =>
    /^tracker(s\.[^.]+)?\.url$/.test(key) && typeof value === 'string' && URL.canParse(value)
      ? [stripCredentials(value)]
      : [],
  )
  return [...new Set(addresses)]
}

/** Whether the token of each tracker and of the language model server is set, and where; never the token itself. */
export function listTokenSettings(place: SettingsSource): Setting[] {
  const names = listSettings(place).flatMap(({ key }) => /^trackers\.(.+)\.url$/.exec(key)?.[1] ?? [])
  const ofTracker = (section: string, variable: string): TokenPlace => {
    return { key: `${section}.token`, addressKey: `${section}.url`, variable, read: readTrackerToken }
  }
  const places: TokenPlace[] = [
    ofTracker('tracker', 'STUDIO_TRACKER_TOKEN'),
    ...names.map((name) => ofTracker(`trackers.${name}`, getTokenVariable(name))),
    { key: 'llm.token', addressKey: 'llm.host', variable: 'STUDIO_LLM_TOKEN', read: readModelToken },
  ]
  return places.map((each) => getTokenSetting(each, place))
}

/** Where a token may be: in a variable, or stored by an address. */
interface TokenPlace {
  key: string
  addressKey: string
  variable: string
  read: typeof readTrackerToken
}

function getTokenSetting({ key, addressKey, variable, read }: TokenPlace, place: SettingsSource): Setting {
  const { env } = place
  if (env[variable]) return { key, value: 'set', source: variable }
  const address = getSetting(addressKey, place).value
  const paths = resolvePaths(env)
  const isStored =
    typeof address === 'string' && URL.canParse(address) && read(paths, stripCredentials(address)) !== null
  return { key, value: isStored ? 'set' : null, source: isStored ? getCredentialsFile(paths) : 'default' }
}

/** One setting; the error for an unknown key names the known ones. */
export function getSetting(key: string, place: SettingsSource): Setting {
  requireKey(key)
  return listSettings(place).find((setting) => setting.key === key) ?? { key, value: null, source: 'default' }
}

/** A setting after it was changed. A tracker that was removed is still set if another file has its address. */
export function getChangedSetting(key: string, place: SettingsSource): Setting {
  return isTrackerSection(key) ? { ...getSetting(`${key}.url`, place), key } : getSetting(key, place)
}

export interface SettingChange {
  key: string
  /** The new value as text; null removes the setting. */
  text: string | null
  /** `project` is `studio.config.json` in the folder, `user` the user's own file. */
  scope: 'user' | 'project'
}

/** Changes one setting in its file and returns the path of the file. */
export async function changeSetting({ key, text, scope }: SettingChange, place: SettingsSource): Promise<string> {
  return changeSettings([[key, text]], scope, place)
}

/** Changes several settings in one file: all of them or none. */
export async function changeSettings(
  changes: readonly (readonly [key: string, text: string | null])[],
  scope: SettingChange['scope'],
  { env, cwd }: SettingsSource,
): Promise<string> {
  // A tracker can be removed with all its settings.
  for (const [key, text] of changes) if (text !== null || !isTrackerSection(key)) requireKey(key)
  const path = scope === 'user' ? getUserSettingsFile(env) : join(cwd, 'studio.config.json')
  const content = readRawContent(path)
  for (const [key, text] of changes) setAt(content, key, text === null ? undefined : parseTypedValue(key, text))
  // Users keep their file elsewhere and link it. A link in a folder may be a stranger's, and is replaced.
  const target = scope === 'user' ? followLink(path) : path
  await writeFileAtomic(target, `${JSON.stringify(content, null, 2)}\n`)
  return path
}

export function getUserSettingsFile(env: NodeJS.ProcessEnv): string {
  return join(resolvePaths(env).config, 'config.json')
}

/** The keys of all settings, with those of further trackers for each of the names. */
export function listSettingKeys(trackerNames: readonly string[] = []): string[] {
  return listSettingSchemas(trackerNames).map(([key]) => key)
}

/** The placeholder for the name of a further tracker in help and messages. */
export const ANY_TRACKER = '<name>'

/** The schema of a setting, also of a further tracker that is in no file yet. */
function findSettingSchema(key: string): z.ZodType | undefined {
  const name = /^trackers\.([^.]+)\./.exec(key)?.[1]
  const names = TrackerName.safeParse(name).success ? [name!] : []
  return listSettingSchemas(names).find(([known]) => known === key)?.[1]
}

/** Whether the key names a further tracker and not one of its settings: `trackers.gh`. */
function isTrackerSection(key: string): boolean {
  return TrackerName.safeParse(/^trackers\.([^.]+)$/.exec(key)?.[1]).success
}

function requireKey(key: string): void {
  if (findSettingSchema(key)) return
  const keys = listSettingKeys([ANY_TRACKER])
  if (/token|password|secret$/i.test(key)) {
    throw new StudioError('invalid', 'A secret cannot be stored in a settings file.', {
      hint: `Set it in an environment variable such as ${key.startsWith('llm.') ? 'STUDIO_LLM_TOKEN' : 'STUDIO_TRACKER_TOKEN'}, or store it with: studio init`,
    })
  }
  throw new StudioError('invalid', `There is no setting "${key}".`, { hint: `Available settings: ${keys.join(', ')}` })
}

/** Converts the text to the type in the schema. */
function parseTypedValue(key: string, text: string): unknown {
  const schema = findSettingSchema(key)!
  const field = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema
  const candidates = [text, Number(text), { true: true, false: false }[text], text.split(/[\s,]+/).filter(Boolean)]
  for (const candidate of candidates) {
    const parsed = field.safeParse(candidate)
    if (parsed.success) return parsed.data
  }
  const [issue] = field.safeParse(text).error!.issues
  throw new StudioError('invalid', `${key}: ${issue!.message}`, { details: [{ path: key, message: issue!.message }] })
}

function setAt(content: Record<string, unknown>, key: string, value: unknown): void {
  const [name, ...rest] = key.split('.') as [string, ...string[]]
  if (rest.length > 0) {
    // The name of a tracker may be that of an inherited property.
    const inner = ((Object.hasOwn(content, name) && content[name]) || {}) as Record<string, unknown>
    setAt(inner, rest.join('.'), value)
    content[name] = Object.keys(inner).length > 0 ? inner : undefined
  } else if (value === undefined) delete content[name]
  else content[name] = value
}

/** Reads the file without validation, so that one setting can be corrected while another is still wrong. */
function readRawContent(path: string): Record<string, unknown> {
  const text = readConfigFile(path)
  if (text === null) return {}
  const content = parseJson(text)
  if (isRecord(content)) return content
  throw new StudioError('invalid', `The settings file ${path} is not a JSON object.`, {
    hint: `Correct the file ${path}.`,
  })
}

function redactPassword(value: unknown): Setting['value'] {
  return typeof value === 'string'
    ? value.replace(/^([a-z]+:\/\/[^:/@\s]*):[^@\s]*@/i, '$1:…@')
    : (value as Setting['value'])
}
