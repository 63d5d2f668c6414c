import * as z from 'zod'
import { detailsOf, StudioError, wordsFor } from '../../../kernel'
import { isRecord, omitUndefined, parseJsonWithoutNulls } from '../../../kernel/json'
import { decodePart } from '../../../kernel/text/text'
import { parseTrackerAddress } from '../../services/tracker-address'
import type { ImportedItem, ImportedItems, LongText, ParsedRow } from '../../tracker'
import { DEFAULT_POINTS_FIELDS, fieldNames, parseInstant, parseTags } from '../field-values'
import { listLinkedIds, listSortedIds } from '../relations'
import { normalizeOrganization } from '../urls'
import { MAX_ID, WireItem } from '../wire-schemas'
import { ID, mapImportedFields, REV } from './imported-fields'

/** Parses work items of the tracker's REST API (one, an array or `{value: […]}`), or those that studio prints. */
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

const ACCEPTED_FORMATS = "an array of work items, the tracker's {value: […]}, one item, or one item per line"

function parseEntries(text: string): Entry[] {
  let content: unknown
  try {
    content = parseJsonWithoutNulls(text)
  } catch (error) {
    const lines = parseLines(text)
    if (lines.some(({ problem }) => problem === undefined)) return lines
    throw new StudioError('invalid', `It is not valid JSON: ${(error as Error).message}`, {
      hint: `Accepted formats: ${ACCEPTED_FORMATS}.`,
      cause: error,
    })
  }
  const list = Array.isArray(content) ? content : findList(content)
  return list.map((value, index) => ({ line: index + 1, value }))
}

function findList(content: unknown): unknown[] {
  const { value, fields, id } = (content ?? {}) as { value?: unknown; fields?: unknown; id?: unknown }
  if (Array.isArray(value)) return value
  if (fields !== undefined || id !== undefined) return [content]
  throw new StudioError('invalid', 'It contains no work items.', { hint: `Accepted formats: ${ACCEPTED_FORMATS}.` })
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
  const isFromStudio = 'localRev' in value || ('title' in value && !isRecord((value as { fields?: unknown }).fields))
  return isFromStudio ? parseStudioItem(line, value) : parseWireItem(line, value)
}

const Id = z.int().min(1).max(MAX_ID)
const Rev = z.int().min(0).max(MAX_ID)

const Wire = WireItem.extend({ id: Id, rev: Rev.optional(), url: z.string().nullish() })

function parseWireItem(line: number, value: object): ParsedRow {
  const parsed = Wire.safeParse(value, { error: wordsFor, reportInput: true })
  if (!parsed.success) return createRowError(line, value, parsed.error)
  const { id, rev, fields, relations, multilineFieldsFormat: formats, url } = parsed.data
  const mapped = mapImportedFields(fields, formats ?? {})
  const changedAt = parseInstant(fields[fieldNames.changedDate]) ?? undefined
  const item = omitUndefined({
    id,
    rev: rev || undefined,
    ...mapped,
    parentId: relations ? (listLinkedIds(relations, 'parent')[0] ?? mapped.parentId ?? null) : mapped.parentId,
    predecessorIds: relations ? listSortedIds(relations, 'predecessor') : undefined,
    changedAt,
    changedAtPrecisionMs: changedAt ? 1 : undefined,
    createdAt: parseInstant(fields[fieldNames.createdDate]) ?? undefined,
    url: url || undefined,
    fields,
  })
  return { line, item }
}

const Text = z.string().nullable().optional()
const Instant = z.iso.datetime({ offset: true, error: 'must be a time such as 2027-03-01T06:00:00Z' }).optional()

/** The output of `studio item get --json` and `studio item list --json`, complete or with `--fields`. */
const StudioItem = z.object({
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

function parseStudioItem(line: number, value: object): ParsedRow {
  const parsed = StudioItem.safeParse(value, { error: wordsFor, reportInput: true })
  if (!parsed.success) return createRowError(line, value, parsed.error)
  const { rev, stateCategory, changedAt, fetchedAt, fromFile, url, blocked, tags, fields, ...rest } = parsed.data
  const { description, descriptionFormat, acceptanceCriteria, acceptanceCriteriaFormat, ...same } = rest
  const item: ImportedItem = omitUndefined({
    ...same,
    rev: rev || undefined,
    tags: tags && parseTags(tags.join(';')),
    stateCategory: stateCategory ?? undefined,
    description: readLongText(description, descriptionFormat),
    acceptanceCriteria: readLongText(acceptanceCriteria, acceptanceCriteriaFormat),
    blockedField: blocked?.some(({ by }) => by === 'field'),
    changedAt: changedAt && new Date(changedAt).toISOString(),
    changedAtPrecisionMs: changedAt ? 1 : undefined,
    // The fetchedAt of an item from a file is not a time when it was read from the tracker.
    readAt: fetchedAt && !fromFile ? new Date(fetchedAt).toISOString() : undefined,
    url: url || undefined,
    fields: fields ?? {},
  })
  return { line, item: fields ? item : { ...item, fields: createTrackerFields(item) } }
}

function readLongText(text: string | null | undefined, format: LongText['format'] | null = 'html') {
  if (text === undefined) return undefined
  return text === null || text.trim() === '' ? null : { text, format: format ?? 'html' }
}

/** Null for an empty text, undefined for one that the file does not have. */
function getText(text: LongText | null | undefined): string | null | undefined {
  return text ? text.text : text
}

/** Uses the tracker's names, so that a history looks the same wherever its items came from. */
function createTrackerFields(item: ImportedItem): Record<string, unknown> {
  return omitUndefined({
    [ID]: item.id,
    [REV]: item.rev,
    [fieldNames.type]: item.type,
    [fieldNames.title]: item.title,
    [fieldNames.state]: item.state,
    [fieldNames.assignedTo]: item.assignedTo,
    [fieldNames.areaPath]: item.areaPath,
    [fieldNames.iterationPath]: item.iterationPath,
    [fieldNames.tags]: item.tags?.join('; '),
    [DEFAULT_POINTS_FIELDS[0]]: item.storyPoints,
    [fieldNames.priority]: item.priority,
    [fieldNames.parent]: item.parentId,
    [fieldNames.description]: getText(item.description),
    [fieldNames.acceptanceCriteria]: getText(item.acceptanceCriteria),
    [fieldNames.changedDate]: item.changedAt,
  })
}

function createRowError(line: number, value: object, error: z.ZodError): ParsedRow {
  const { path, message } = detailsOf(error)[0]!
  const { id } = value as { id?: unknown }
  return { line, id: Id.safeParse(id).data ?? null, column: path || null, problem: message }
}

/** Finds host and organization in the address of an item in the API or on the web. */
function findOrganization({ url, areaPath, fields }: ImportedItem): string | null {
  if (!url || !URL.canParse(url) || !/^https?:/i.test(url)) return null
  const [before, page] = url.split(/\/(?=_apis\/|_workitems\/)/i)
  if (!page) return null
  const project =
    typeof fields['System.TeamProject'] === 'string' ? fields['System.TeamProject'] : areaPath?.split('\\')[0]
  const { base } = parseTrackerAddress(before!)
  const last = decodePart(base.slice(base.lastIndexOf('/') + 1))
  const isProject =
    /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(last) || last.toLowerCase() === project?.toLowerCase()
  return normalizeOrganization({ base: isProject ? base.slice(0, base.lastIndexOf('/')) : base })
}
