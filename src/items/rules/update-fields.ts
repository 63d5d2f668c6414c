import { boundDetails, type ErrorDetail, type Hint, StudioError } from '../../kernel'
import { findNearest } from '../../kernel/text/nearest-text'
import { describeLocalImages } from '../../rich-text'
import type { ProcessField, ProcessPart, TrackerProcess } from '../../tracker'
import { type FieldValue, ItemId } from '../schemas'
import { getLastSegment } from './compare-snapshots'
import { findCurrentIterations } from './current-iterations'
import { isCurrent } from './filter-values'
import type { LinkUpdates } from './link-updates'

/** Values by field in any notation. */
export interface GivenFields {
  updates?: Record<string, unknown>
  fields?: Record<string, unknown>
  /** Values from fields of the input with these names, or of a draft. The others must not set them a second time. */
  own?: Record<string, unknown>
}

/** The texts among the values. */
export function listGivenTexts({ updates, fields }: GivenFields): string[] {
  return [...Object.values(updates ?? {}), ...Object.values(fields ?? {})].filter((value) => typeof value === 'string')
}

/** The values with other texts. */
export function changeGivenTexts(given: GivenFields, change: (text: string) => string): GivenFields {
  const changeAll = (values: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? change(value) : value]),
    )
  const { updates, fields } = given
  return { ...given, ...(updates && { updates: changeAll(updates) }), ...(fields && { fields: changeAll(fields) }) }
}

export interface FieldUpdate {
  field: ProcessField
  /** A long text is in Markdown. */
  value: FieldValue
  /** A long text as HTML, for items that store it so. */
  html?: string
  /** The path of the input that gives the value; absent if no input does. */
  path?: string
}

/** Takes the parent out of the values, because it is a link and not a field. `updates` overrides `fields`. */
export function separateParent(given: GivenFields): { links: LinkUpdates | null; given: GivenFields } {
  const links: LinkUpdates[] = []
  const details: ErrorDetail[] = []
  const separate = (source: keyof GivenFields) => {
    const isParent = (key: string) => ['parent', 'parentid', 'system.parent'].includes(normalizeName(key))
    const entries = Object.entries(given[source] ?? {})
    const parents = entries.filter(([key]) => isParent(key))
    for (const [at, [key, raw]] of parents.entries()) {
      const path = `${source}.${key}`
      const parentId = raw === null || raw === '' ? null : Number(String(raw).trim().replace(/^#/, ''))
      if (at > 0) details.push({ path, message: 'sets Parent a second time' })
      else if (parentId !== null && !ItemId.safeParse(parentId).success)
        details.push({ path, message: 'must be the ID of a work item, or empty for no parent' })
      else links.push({ parentId })
    }
    return given[source] && Object.fromEntries(entries.filter(([key]) => !isParent(key)))
  }
  const fields = separate('fields')
  const updates = separate('updates')
  if (details.length > 0) throw createUpdateError(details)
  return { links: links.at(-1) ?? null, given: { own: given.own, fields, updates } }
}

const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    iteration: 'iterationpath',
    sprint: 'iterationpath',
    area: 'areapath',
    assignee: 'assignedto',
    points: 'storypoints',
  }),
)

export interface ResolvedUpdates {
  requested: FieldUpdate[]
  problems: ErrorDetail[]
  /** The reference names of fields with a wrong value. */
  wrong: ReadonlySet<string>
}

/**
 * Finds the field of each key, in any case, with or without a namespace, spaces or dashes. `updates` overrides `fields`. Returns also every
 * key and value that is wrong.
 * @param day that is in the iteration `@current`: `2026-11-23`.
 */
export function resolveUpdates(
  given: GivenFields,
  process: TrackerProcess,
  user: string | null,
  day = '',
): ResolvedUpdates {
  const lookup = createFieldLookup(process)
  const problems: ErrorDetail[] = []
  const resolved = new Map<string, FieldUpdate>()
  const own = new Set<string>()
  const wrong = new Set<string>()
  for (const [source, entries] of [
    ['own', given.own ?? {}],
    ['fields', given.fields ?? {}],
    ['updates', given.updates ?? {}],
  ] as const) {
    const named = new Set<string>(own)
    for (const [key, raw] of Object.entries(entries)) {
      const path = source === 'own' ? key : `${source}.${key}`
      const field = lookup(key)
      if (field && named.has(field.referenceName)) problems.push({ path, message: `sets ${field.name} a second time` })
      else if (!field) problems.push({ path, message: describeUnknown(key, process) })
      else if (field.readOnly) problems.push({ path, message: 'is read-only: the tracker sets it' })
      else {
        const value = parseValue(field, raw, { process, user, day })
        if (value.ok) resolved.set(field.referenceName, { field, value: value.value, path })
        else {
          problems.push({ path, message: value.message })
          wrong.add(field.referenceName)
        }
      }
      if (field) named.add(field.referenceName)
      if (field && source === 'own') own.add(field.referenceName)
    }
  }
  if (resolved.size === 0 && problems.length === 0) problems.push({ path: 'updates', message: 'names no field to set' })
  return { requested: [...resolved.values()], problems, wrong }
}

/** The parts of the process that list the values of the given fields. */
export function listRequiredParts(given: GivenFields, process: TrackerProcess): ProcessPart[] {
  const lookup = createFieldLookup(process)
  const paths = Object.keys({ ...given.own, ...given.fields, ...given.updates })
    .map(lookup)
    .filter((field) => field?.kind === 'path')
  return [...new Set(paths.map((field): ProcessPart => (field?.property === 'areaPath' ? 'areas' : 'iterations')))]
}

/** Throws the error with all problems, if there are any. */
export function refuseProblems(problems: readonly ErrorDetail[], advice?: Hint): void {
  if (problems.length > 0) throw createUpdateError([...problems], advice)
}

export function createUpdateError(details: ErrorDetail[], advice?: Hint): StudioError {
  const shown = details.slice(0, 5).map((detail) => `${detail.path}: ${detail.message}`)
  const more = details.length > shown.length ? `; and ${details.length - shown.length} more` : ''
  return new StudioError('invalid', `Nothing was sent. ${shown.join('; ')}${more}`, {
    details: boundDetails(details),
    hint: advice,
  })
}

function createFieldLookup(process: TrackerProcess): (key: string) => ProcessField | null {
  const byName = new Map<string, ProcessField>()
  const offer = (name: string, field: ProcessField) => {
    if (!byName.has(name)) byName.set(name, field)
  }
  for (const field of process.fields) offer(field.referenceName.toLowerCase(), field)
  for (const field of process.fields) if (field.property) offer(normalizeName(field.property), field)
  for (const field of process.fields) offer(normalizeName(field.name), field)
  for (const field of process.fields) offer(normalizeName(getLastSegment(field.referenceName)), field)
  return (key) => {
    const exact = byName.get(key.trim().toLowerCase())
    if (exact) return exact
    const name = normalizeName(key)
    return byName.get(ALIASES.get(name) ?? name) ?? byName.get(name) ?? null
  }
}

/** The name in lower case without spaces, dashes and underscores; an alias is replaced by the name of its field. */
export function normalizeFieldName(name: string): string {
  const normalized = normalizeName(name)
  return ALIASES.get(normalized) ?? normalized
}

/** The name in lower case without spaces, dashes and underscores. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '')
}

function describeUnknown(key: string, process: TrackerProcess): string {
  const settable = process.fields.filter((field) => !field.readOnly)
  const common = settable.filter((field) => field.property).map((field) => field.name)
  const near = findNearest(
    key,
    settable.map((field) => field.name),
    3,
  )
  return near === null
    ? `is not a field of this tracker; use one of ${common.join(', ')}`
    : `is not a field of this tracker; did you mean "${near}"?`
}

type ParsedValue = { ok: true; value: FieldValue } | { ok: false; message: string }

/** The value in the type of the field. An empty text clears the field. */
function parseValue(
  field: ProcessField,
  raw: unknown,
  { process, user, day }: { process: TrackerProcess; user: string | null; day: string },
): ParsedValue {
  if (raw === null || raw === '') return { ok: true, value: null }
  if (field.kind === 'integer' || field.kind === 'number') return parseNumber(field, raw)
  if (field.kind === 'boolean') return parseBoolean(raw)
  if (field.kind === 'tags') return { ok: true, value: Array.isArray(raw) ? raw.join('; ') : String(raw) }
  if (field.kind === 'list') return parseList(raw)
  if (field.kind === 'path') return parsePath(field, raw, { process, day })
  if (field.kind === 'identity') return parseIdentity(raw, user)
  if (field.kind === 'date') return parseDate(raw)
  const problem = field.kind === 'text' && typeof raw === 'string' ? describeLocalImages(raw) : null
  if (problem !== null) return { ok: false, message: problem }
  if (typeof raw === 'string' || typeof raw === 'number') return { ok: true, value: String(raw) }
  return { ok: false, message: 'must be text' }
}

/** Takes `a; b` or an array of texts. A value that is named twice counts once. */
function parseList(raw: unknown): ParsedValue {
  const parts = Array.isArray(raw) ? raw : [raw]
  if (!parts.every((part) => typeof part === 'string' || typeof part === 'number'))
    return { ok: false, message: 'must be values separated by semicolons: a; b' }
  const values = new Map(parts.flatMap((part) => splitListValue(String(part))).map((one) => [one.toLowerCase(), one]))
  return { ok: true, value: values.size === 0 ? null : [...values.values()].join('; ') }
}

/** The parts of a value of a list: `a; b`. */
export function splitListValue(text: string): string[] {
  return text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Accepts the whole path or a unique end of it, `Sprint 24` for `Harbor\\2026 Q4\\Sprint 24`, and `@current`. */
function parsePath(
  field: ProcessField,
  raw: unknown,
  { process, day }: { process: TrackerProcess; day: string },
): ParsedValue {
  const typed = String(raw).toLowerCase()
  const known =
    field.property === 'areaPath' ? process.areaPaths : process.iterations.map((iteration) => iteration.path)
  if (known.length === 0) return { ok: true, value: String(raw) }
  const exact = known.find((path) => path.toLowerCase() === typed)
  const isToday = field.property === 'iterationPath' && isCurrent(typed)
  const matches = isToday
    ? findCurrentIterations(process.iterations, day)
    : known.filter((path) => path.toLowerCase().endsWith(`\\${typed}`))
  if (exact !== undefined || matches.length === 1) return { ok: true, value: exact ?? matches[0]! }
  if (isToday && matches.length === 0)
    return { ok: false, message: `no iteration of the tracker includes today, ${day}` }
  const choices =
    matches.length > 1 ? `matches more than one path: ${matches.join(', ')}` : `is not one of ${known.join(', ')}`
  return { ok: false, message: `"${raw}" ${choices}` }
}

function parseNumber(field: ProcessField, raw: unknown): ParsedValue {
  const value = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw
  if (typeof value !== 'number' || !Number.isFinite(value)) return { ok: false, message: 'must be a number' }
  if (field.kind === 'integer' && !Number.isInteger(value)) return { ok: false, message: 'must be a whole number' }
  if (field.property === 'storyPoints' && value < 0) return { ok: false, message: 'must not be negative' }
  return { ok: true, value }
}

function parseBoolean(raw: unknown): ParsedValue {
  if (typeof raw === 'boolean') return { ok: true, value: raw }
  if (/^(true|yes)$/i.test(String(raw))) return { ok: true, value: true }
  if (/^(false|no)$/i.test(String(raw))) return { ok: true, value: false }
  return { ok: false, message: 'must be true or false' }
}

/** `Date.parse` takes the 30th of February for the 2nd of March. */
function isCalendarDay(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}

const ISO_DATE = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?$/i

function parseDate(raw: unknown): ParsedValue {
  const text = String(raw).trim()
  const [, day] = ISO_DATE.exec(text) ?? []
  const isValid = day !== undefined && !Number.isNaN(Date.parse(text)) && isCalendarDay(day)
  return isValid
    ? { ok: true, value: text }
    : { ok: false, message: 'must be a date such as 2026-12-24 or 2026-12-24T08:00:00Z' }
}

function parseIdentity(raw: unknown, user: string | null): ParsedValue {
  if (typeof raw === 'string' && raw.toLowerCase() === '@me')
    return user === null ? { ok: false, message: '@me requires STUDIO_USER to be set' } : { ok: true, value: user }
  const account = typeof raw === 'object' && raw !== null ? (raw as { uniqueName?: unknown }).uniqueName : raw
  return typeof account === 'string'
    ? { ok: true, value: account }
    : { ok: false, message: 'must be a name or an account' }
}

/** The values by field of `Field=Value` pairs, which a command line gives. */
export function parseFieldPairs(pairs: readonly string[]): Record<string, string> {
  const updates = new Map<string, string>()
  const problems: ErrorDetail[] = []
  for (const pair of pairs) {
    const equals = pair.indexOf('=')
    const key = pair.slice(0, Math.max(equals, 0)).trim()
    if (equals < 1) problems.push({ path: '--set', message: `"${pair}" must have the form Field=Value` })
    else if (updates.has(key)) problems.push({ path: '--set', message: `sets ${key} a second time` })
    else updates.set(key, pair.slice(equals + 1).trim())
  }
  refuseProblems(problems)
  return Object.fromEntries(updates)
}
