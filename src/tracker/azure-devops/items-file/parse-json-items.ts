import * as z from 'zod'
import { detailsOf, StudioError, wordsFor } from '../../../kernel'
import { isRecord, parseJsonWithoutNulls } from '../../../kernel/json'
import { parseTrackerAddress } from '../../services/tracker-address'
import type { ImportedItem, ImportedItems, ParsedRow } from '../../tracker'
import { DEFAULT_POINTS_FIELDS, fieldNames, parseInstant, parseTags } from '../field-values'
import { findParentId, listPredecessorIds } from '../map-item'
import { normalizeOrganization } from '../urls'
import { MAX_ID, WireItem } from '../wire-schemas'
import { ID, mapImportedFields, REV } from './imported-fields'

/** Work items as the tracker's REST API tells them, alone, in an array or in `{value: […]}`; and as studio itself prints them. */
export function parseJsonItems(text: string): ImportedItems {
  const rows = parseEntries(text).map(parseEntry)
  const trackers = rows.flatMap((row) => ('item' in row && row.item.url ? (findOrganization(row.item) ?? []) : []))
  return { format: 'json', rows, columns: [], trackers: [...new Set(trackers)], notes: [] }
}

interface Entry {
  line: number
  value: unknown
  problem?: string
}

const ACCEPTED_FORMATS = "an array of work items, the tracker's {value: […]}, one item, or one a line"

function parseEntries(text: string): Entry[] {
  let whole: unknown
  try {
    whole = parseJsonWithoutNulls(text)
  } catch (error) {
    const lines = parseLines(text)
    if (lines.some(({ problem }) => problem === undefined)) return lines
    throw new StudioError('invalid', `It is not valid JSON: ${(error as Error).message}`, {
      hint: `What is taken: ${ACCEPTED_FORMATS}.`,
      cause: error,
    })
  }
  const list = Array.isArray(whole) ? whole : findList(whole)
  return list.map((value, index) => ({ line: index + 1, value }))
}

function findList(whole: unknown): unknown[] {
  const { value, fields, id } = (whole ?? {}) as { value?: unknown; fields?: unknown; id?: unknown }
  if (Array.isArray(value)) return value
  if (fields !== undefined || id !== undefined) return [whole]
  throw new StudioError('invalid', 'There are no work items in it.', { hint: `What is taken: ${ACCEPTED_FORMATS}.` })
}

function parseLines(text: string): Entry[] {
  return text.split(/\r\n|\n|\r/).flatMap((line, index): Entry[] => {
    if (line.trim() === '') return []
    try {
      return [{ line: index + 1, value: parseJsonWithoutNulls(line) }]
    } catch (error) {
      return [{ line: index + 1, value: null, problem: `It is not valid JSON: ${(error as Error).message}` }]
    }
  })
}

function parseEntry({ line, value, problem }: Entry): ParsedRow {
  if (problem !== undefined) return { line, id: null, column: null, problem }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { line, id: null, column: null, problem: `It is ${value === null ? 'null' : 'no object'}, not a work item.` }
  }
  const isOurs = 'localRev' in value || ('title' in value && !isRecord((value as { fields?: unknown }).fields))
  return isOurs ? parseStudioItem(line, value) : parseWireItem(line, value)
}

const Id = z.int().min(1).max(MAX_ID)
const Rev = z.int().min(0).max(MAX_ID)

const Wire = WireItem.extend({ id: Id, rev: Rev.optional(), url: z.string().nullish() })

function parseWireItem(line: number, value: object): ParsedRow {
  const parsed = Wire.safeParse(value, { error: wordsFor, reportInput: true })
  if (!parsed.success) return createRowError(line, value, parsed.error)
  const { id, rev = 0, fields, relations, multilineFieldsFormat: formats, url } = parsed.data
  const told = mapImportedFields(fields, formats ?? {})
  const changedAt = parseInstant(fields[fieldNames.changedDate])
  const createdAt = parseInstant(fields[fieldNames.createdDate])
  const parent = relations ? { parentId: findParentId(relations) ?? told.parentId ?? null } : {}
  return {
    line,
    item: {
      id,
      ...(rev > 0 ? { rev } : {}),
      ...told,
      ...parent,
      ...(relations ? { predecessorIds: listPredecessorIds(relations) } : {}),
      ...(changedAt === null ? {} : { changedAt, changedAtPrecisionMs: 1 }),
      ...(createdAt === null ? {} : { createdAt }),
      ...(url ? { url } : {}),
      fields,
    },
  }
}

const Text = z.string().nullable().optional()
const Instant = z.iso.datetime({ offset: true, error: 'must be an instant, as 2027-03-01T06:00:00Z' }).optional()

/** What `studio item get --json` and `studio item list --json` print, whole or with `--fields`. */
const StudioItem = z.looseObject({
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
  changedAt: Instant,
  fetchedAt: Instant,
  fromFile: z.unknown().optional(),
  fields: z.record(z.string(), z.unknown()).optional(),
})
type StudioItem = z.output<typeof StudioItem>

function parseStudioItem(line: number, value: object): ParsedRow {
  const parsed = StudioItem.safeParse(value, { error: wordsFor, reportInput: true })
  if (!parsed.success) return createRowError(line, value, parsed.error)
  const own = parsed.data
  const { id, rev = 0, stateCategory, changedAt, fetchedAt, fromFile, url, blocked } = own
  // An item that came out of a file was not read from the tracker when it says.
  const isRead = fetchedAt !== undefined && !fromFile
  const told: ImportedItem = {
    id,
    ...(rev > 0 ? { rev } : {}),
    ...pickPresent(own, [
      'type',
      'title',
      'state',
      'assignedTo',
      'areaPath',
      'iterationPath',
      'storyPoints',
      'priority',
    ]),
    ...pickPresent(own, ['parentId']),
    ...(own.tags === undefined ? {} : { tags: parseTags(own.tags.join(';')) }),
    ...(stateCategory ? { stateCategory } : {}),
    ...readLongText(own, 'description', own.descriptionFormat),
    ...readLongText(own, 'acceptanceCriteria', own.acceptanceCriteriaFormat),
    ...(blocked === undefined ? {} : readBlockedField(blocked)),
    ...(changedAt === undefined ? {} : { changedAt: new Date(changedAt).toISOString(), changedAtPrecisionMs: 1 }),
    ...(isRead ? { readAt: new Date(fetchedAt).toISOString() } : {}),
    ...(url ? { url } : {}),
    fields: own.fields ?? {},
  }
  return { line, item: own.fields ? told : { ...told, fields: createTrackerFields(told) } }
}

function pickPresent<K extends keyof StudioItem>(own: StudioItem, names: readonly K[]): Pick<StudioItem, K> {
  return Object.fromEntries(names.flatMap((name) => (own[name] === undefined ? [] : [[name, own[name]]]))) as Pick<
    StudioItem,
    K
  >
}

function readLongText(
  own: StudioItem,
  name: 'description' | 'acceptanceCriteria',
  format: 'html' | 'markdown' | null | undefined,
) {
  const text = own[name]
  if (text === undefined) return {}
  return { [name]: text === null || text.trim() === '' ? null : { text, format: format ?? 'html' } }
}

function readBlockedField(blocked: readonly { by: string; itemId?: number | null }[]) {
  return { blockedField: blocked.some(({ by }) => by === 'field') }
}

/** Under the names that the tracker has for them, so that a history reads alike wherever its items came from. */
function createTrackerFields(told: ImportedItem): Record<string, unknown> {
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
    [DEFAULT_POINTS_FIELDS[0], told.storyPoints],
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

function createRowError(line: number, value: object, error: z.ZodError): ParsedRow {
  const { path, message } = detailsOf(error)[0]!
  const { id } = value as { id?: unknown }
  return { line, id: Id.safeParse(id).data ?? null, column: path || null, problem: message }
}

/** Host and organization in the address of an item, be it the API's or the page's. */
function findOrganization({ url, areaPath, fields }: ImportedItem): string | null {
  if (!url || !URL.canParse(url) || !/^https?:/i.test(url)) return null
  const [before, page] = url.split(/\/(?=_apis\/|_workitems\/)/i)
  if (!page) return null
  const project =
    typeof fields['System.TeamProject'] === 'string' ? fields['System.TeamProject'] : areaPath?.split('\\')[0]
  const { base } = parseTrackerAddress(before!)
  const last = decodeURIComponentSafely(base.slice(base.lastIndexOf('/') + 1))
  const isProject =
    /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(last) || last.toLowerCase() === project?.toLowerCase()
  return normalizeOrganization({ base: isProject ? base.slice(0, base.lastIndexOf('/')) : base })
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
