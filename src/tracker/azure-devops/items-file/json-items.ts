import * as z from 'zod'
import { detailsOf, StudioError, wordsFor } from '../../../kernel'
import type { ToldItem, ToldItems, ToldRow } from '../../told-item'
import { parseAddress, placeOf } from '../address'
import { fieldNames, instantValue, tagsValue, usualPointsFields } from '../field-values'
import { parentOf, predecessorsOf } from '../relations'
import { WireItem } from '../wire'
import { ID, REV } from './file-field'
import { largestWhole } from './limits'
import { propertiesOf } from './told-fields'

/** Work items as the tracker's REST API tells them, alone, in an array or in `{value: […]}`; and as studio itself prints them. */
export function jsonItems(text: string): ToldItems {
  const rows = entriesOf(text).map(readEntry)
  const trackers = rows.flatMap((row) => ('item' in row && row.item.url ? (placeIn(row.item) ?? []) : []))
  return { format: 'json', rows, columns: [], trackers: [...new Set(trackers)], notes: [] }
}

interface Entry {
  line: number
  value: unknown
  problem?: string
}

const FORMS = "an array of work items, the tracker's {value: […]}, one item, or one a line"

function entriesOf(text: string): Entry[] {
  let whole: unknown
  try {
    whole = parse(text)
  } catch (error) {
    const lines = linesOf(text)
    if (lines.some(({ problem }) => problem === undefined)) return lines
    throw new StudioError('invalid', `It is not valid JSON: ${(error as Error).message}`, {
      hint: `What is taken: ${FORMS}.`,
      cause: error,
    })
  }
  const list = Array.isArray(whole) ? whole : listIn(whole)
  return list.map((value, index) => ({ line: index + 1, value }))
}

function listIn(whole: unknown): unknown[] {
  const { value, fields, id } = (whole ?? {}) as { value?: unknown; fields?: unknown; id?: unknown }
  if (Array.isArray(value)) return value
  if (fields !== undefined || id !== undefined) return [whole]
  throw new StudioError('invalid', 'There are no work items in it.', { hint: `What is taken: ${FORMS}.` })
}

function linesOf(text: string): Entry[] {
  return text.split(/\r\n|\n|\r/).flatMap((line, index): Entry[] => {
    if (line.trim() === '') return []
    try {
      return [{ line: index + 1, value: parse(line) }]
    } catch (error) {
      return [{ line: index + 1, value: null, problem: `It is not valid JSON: ${(error as Error).message}` }]
    }
  })
}

/** As answers of the tracker are read: a text with U+0000 cannot be kept by every database. */
function parse(text: string): unknown {
  const withoutNull = (_: string, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\u0000', '') : value
  return JSON.parse(text, text.includes('\\u0000') ? withoutNull : undefined)
}

function readEntry({ line, value, problem }: Entry): ToldRow {
  if (problem !== undefined) return { line, id: null, column: null, problem }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { line, id: null, column: null, problem: `It is ${value === null ? 'null' : 'no object'}, not a work item.` }
  }
  const isOurs = 'localRev' in value || ('title' in value && !isRecord((value as { fields?: unknown }).fields))
  return isOurs ? readOwn(line, value) : readWire(line, value)
}

const Id = z.int().min(1).max(largestWhole)
const Rev = z.int().min(0).max(largestWhole)

const Wire = WireItem.extend({ id: Id, rev: Rev.optional(), url: z.string().nullish() })

function readWire(line: number, value: object): ToldRow {
  const parsed = Wire.safeParse(value, { error: wordsFor, reportInput: true })
  if (!parsed.success) return unreadable(line, value, parsed.error)
  const { id, rev = 0, fields, relations, multilineFieldsFormat: formats, url } = parsed.data
  const told = propertiesOf(fields, formats ?? {})
  const changedAt = instantValue(fields[fieldNames.changedDate])
  const createdAt = instantValue(fields[fieldNames.createdDate])
  const parent = relations ? { parentId: parentOf(relations) ?? told.parentId ?? null } : {}
  return {
    line,
    item: {
      id,
      ...(rev > 0 ? { rev } : {}),
      ...told,
      ...parent,
      ...(relations ? { predecessorIds: predecessorsOf(relations) } : {}),
      ...(changedAt === null ? {} : { changedAt, changedWithinMs: 1 }),
      ...(createdAt === null ? {} : { createdAt }),
      ...(url ? { url } : {}),
      fields,
    },
  }
}

const Text = z.string().nullable().optional()
const Moment = z.iso.datetime({ offset: true, error: 'must be an instant, as 2027-03-01T06:00:00Z' }).optional()

/** What `studio item get --json` and `studio item list --json` print, whole or with `--fields`. */
const Own = z.looseObject({
  id: Id,
  rev: Rev.optional(),
  type: z.string().optional(),
  title: z.string().optional(),
  state: z.string().optional(),
  stateCategory: z.enum(['Proposed', 'InProgress', 'Resolved', 'Completed', 'Removed']).nullable().optional(),
  assignedTo: z
    .object({ displayName: z.string(), uniqueName: z.string().nullable().default(null) })
    .nullable()
    .optional(),
  areaPath: z.string().optional(),
  iterationPath: z.string().optional(),
  tags: z.array(z.string()).optional(),
  storyPoints: z.number().nullable().optional(),
  priority: z.number().nullable().optional(),
  parentId: Id.nullable().optional(),
  description: Text,
  descriptionFormat: z.enum(['html', 'markdown']).nullable().optional(),
  acceptanceCriteria: Text,
  acceptanceCriteriaFormat: z.enum(['html', 'markdown']).nullable().optional(),
  blocked: z.array(z.looseObject({ by: z.string(), itemId: z.int().nullable().optional() })).optional(),
  url: z.string().optional(),
  changedAt: Moment,
  fetchedAt: Moment,
  fromFile: z.unknown().optional(),
  fields: z.record(z.string(), z.unknown()).optional(),
})
type Own = z.output<typeof Own>

function readOwn(line: number, value: object): ToldRow {
  const parsed = Own.safeParse(value, { error: wordsFor, reportInput: true })
  if (!parsed.success) return unreadable(line, value, parsed.error)
  const own = parsed.data
  const { id, rev = 0, stateCategory, changedAt, fetchedAt, fromFile, url, blocked } = own
  // An item that came out of a file was not read from the tracker when it says.
  const isRead = fetchedAt !== undefined && !fromFile
  const told: ToldItem = {
    id,
    ...(rev > 0 ? { rev } : {}),
    ...present(own, ['type', 'title', 'state', 'assignedTo', 'areaPath', 'iterationPath', 'storyPoints', 'priority']),
    ...present(own, ['parentId']),
    ...(own.tags === undefined ? {} : { tags: tagsValue(own.tags.join(';')) }),
    ...(stateCategory ? { stateCategory } : {}),
    ...longText(own, 'description', own.descriptionFormat),
    ...longText(own, 'acceptanceCriteria', own.acceptanceCriteriaFormat),
    ...(blocked === undefined ? {} : blockedIn(blocked)),
    ...(changedAt === undefined ? {} : { changedAt: new Date(changedAt).toISOString(), changedWithinMs: 1 }),
    ...(isRead ? { readAt: new Date(fetchedAt).toISOString() } : {}),
    ...(url ? { url } : {}),
    fields: own.fields ?? {},
  }
  return { line, item: own.fields ? told : { ...told, fields: fieldsOf(told) } }
}

function present<K extends keyof Own>(own: Own, names: readonly K[]): Pick<Own, K> {
  return Object.fromEntries(names.flatMap((name) => (own[name] === undefined ? [] : [[name, own[name]]]))) as Pick<
    Own,
    K
  >
}

function longText(
  own: Own,
  name: 'description' | 'acceptanceCriteria',
  format: 'html' | 'markdown' | null | undefined,
) {
  const text = own[name]
  if (text === undefined) return {}
  return { [name]: text === null || text.trim() === '' ? null : { text, format: format ?? 'html' } }
}

function blockedIn(blocked: readonly { by: string; itemId?: number | null }[]) {
  return { blockedField: blocked.some(({ by }) => by === 'field') }
}

/** Under the names that the tracker has for them, so that a history reads alike wherever its items came from. */
function fieldsOf(told: ToldItem): Record<string, unknown> {
  const pairs: [string, unknown][] = [
    [ID, told.id],
    [REV, told.rev],
    [fieldNames.type, told.type],
    [fieldNames.title, told.title],
    [fieldNames.state, told.state],
    [fieldNames.assignedTo, told.assignedTo],
    [fieldNames.areaPath, told.areaPath],
    [fieldNames.iterationPath, told.iterationPath],
    [fieldNames.tags, told.tags?.join('; ')],
    [usualPointsFields[0], told.storyPoints],
    [fieldNames.priority, told.priority],
    [fieldNames.parent, told.parentId],
    [fieldNames.description, told.description === undefined ? undefined : (told.description?.text ?? null)],
    [
      fieldNames.acceptanceCriteria,
      told.acceptanceCriteria === undefined ? undefined : (told.acceptanceCriteria?.text ?? null),
    ],
    [fieldNames.changedDate, told.changedAt],
  ]
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined))
}

function unreadable(line: number, value: object, error: z.ZodError): ToldRow {
  const { path, message } = detailsOf(error)[0]!
  const { id } = value as { id?: unknown }
  return { line, id: Id.safeParse(id).data ?? null, column: path || null, problem: message }
}

/** Host and organization in the address of an item, be it the API's or the page's. */
function placeIn({ url, areaPath, fields }: ToldItem): string | null {
  if (!url || !URL.canParse(url) || !/^https?:/i.test(url)) return null
  const [before, page] = url.split(/\/(?=_apis\/|_workitems\/)/i)
  if (!page) return null
  const project =
    typeof fields['System.TeamProject'] === 'string' ? fields['System.TeamProject'] : areaPath?.split('\\')[0]
  const { base } = parseAddress(before!)
  const last = decodeURIComponentOr(base.slice(base.lastIndexOf('/') + 1))
  const isProject =
    /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(last) || last.toLowerCase() === project?.toLowerCase()
  return placeOf({ base: isProject ? base.slice(0, base.lastIndexOf('/')) : base })
}

function decodeURIComponentOr(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
