import { toArgument } from '../../kernel/text/item-reference'
import { equalsIgnoringCase } from '../../kernel/text/text'
import type { ItemChange, Rejection, TagChanges, TrackerItem } from '../../tracker'
import type { FieldChange, FieldValue, UpdateResult, UpdateResults } from '../schemas'
import { type LinkedItem, type LinkUpdates, planLinks } from './link-updates'
import { findTextFormat, type ItemVersion, isSameLongText, valueToShow, valueToStore } from './long-text'
import { planTags } from './tag-updates'
import type { FieldUpdate } from './update-fields'

type UpdateStatus = UpdateResults['results'][number]['status']

export interface ItemOutcome {
  status: UpdateStatus
  rev: number | null
  message: string | null
  /** Of a rejection whose reason is not in the values. */
  code?: Rejection['code']
  fields?: Rejection['fields']
}

export function createUpdateResults(
  results: readonly UpdateResult[],
  linked: readonly Pick<TrackerItem, 'id' | 'type' | 'title'>[],
  { dryRun, nameOf }: { dryRun: boolean; nameOf(id: number): string },
): UpdateResults {
  const count = (status: UpdateStatus) => results.filter((result) => result.status === status).length
  return {
    dryRun,
    requested: results.length,
    applied: count('applied'),
    conflicts: count('conflict'),
    rejected: count('rejected'),
    notAttempted: count('notAttempted'),
    unknown: count('unknown'),
    results: results.map(({ id, ...result }) => ({ id, reference: nameOf(id), ...result })),
    linked: linked.map(({ id, type, title }) => ({ id, reference: nameOf(id), type, title })),
  }
}

/** The question after a dry run; null if there is nothing to send. */
export function askAfterPreview(preview: unknown): string | null {
  const { results } = preview as UpdateResults
  const toSend = results.filter(({ status, changes }) => status === 'notAttempted' && changes.length > 0)
  const [first] = toSend
  if (!first) return null
  return toSend.length === 1
    ? `Save these changes to work item ${toArgument(first.reference)}?`
    : `Save these changes to ${toSend.length} work items?`
}

/** The updates that change the item. */
export function listFieldChanges(item: ItemVersion, updates: readonly FieldUpdate[]): FieldChange[] {
  return updates
    .filter((update) => !hasValue(item, update))
    .map(({ field, value }) => ({
      field: field.name,
      from: valueToShow(item, field, readValue(item.fields, field.referenceName)),
      to: value,
      storedAs: findTextFormat(item, field),
    }))
}

/** The values of a new item, whose long texts are HTML unless the tracker stores Markdown. */
export function listNewValues(updates: readonly FieldUpdate[]): FieldChange[] {
  return updates.map(({ field, value }) => ({
    field: field.name,
    from: null,
    to: value,
    storedAs: field.kind !== 'text' ? null : field.isMarkdown ? 'markdown' : 'html',
  }))
}

/** What an item gets besides the values of fields. */
export interface OtherUpdates {
  links?: LinkUpdates | null
  tags?: TagChanges | null
}

/** The change to send; null if the item has all the values, links and tags already. */
export function buildItemChange(
  item: ItemVersion & Partial<LinkedItem> & Partial<Pick<TrackerItem, 'tags'>>,
  updates: readonly FieldUpdate[],
  others: OtherUpdates = {},
): ItemChange | null {
  const differing = updates.filter((update) => !hasValue(item, update))
  const links = others.links && planLinks(item, others.links)
  const tags = others.tags && planTags(item, others.tags)
  const [hasLinks, hasTags] = [links, tags].map((one) => !!one && one.add.length + one.remove.length > 0)
  if (differing.length === 0 && !hasLinks && !hasTags) return null
  return {
    id: item.id,
    rev: item.rev,
    fields: Object.fromEntries(differing.map((update) => [update.field.referenceName, valueToStore(item, update)])),
    ...(links && hasLinks ? { links } : {}),
    ...(tags && hasTags ? { tags } : {}),
  }
}

type Fields = Readonly<Record<string, unknown>>

/**
 * A three-way merge by field: the fields to set that another user has set to a different value since `base`. A field that the other
 * user did not change, or set to the same value, is no conflict.
 */
export function findConflictingChanges(base: Fields, now: ItemVersion, updates: readonly FieldUpdate[]): FieldChange[] {
  return updates.flatMap((update) => {
    const { field } = update
    const before = readValue(base, field.referenceName)
    const current = readValue(now.fields, field.referenceName)
    if (isEqualValue(before, current) || hasValue(now, update)) return []
    const [from, to] = [valueToShow(now, field, before), valueToShow(now, field, current)]
    return [{ field: field.name, from, to, storedAs: findTextFormat(now, field) }]
  })
}

export function formatConflict(conflicts: readonly FieldChange[], now: ItemVersion): string {
  const changes = conflicts.map(({ field, from, to }) => `${field} from ${formatValue(from)} to ${formatValue(to)}`)
  return `Another user changed ${changes.join(', ')} (revision ${now.rev}). Review the change, then update the item again.`
}

const MAX_VALUE_LENGTH = 60

function formatValue(value: FieldValue): string {
  const text = value === null ? '(empty)' : String(value)
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH - 1)}…` : text
}

/** Whether the item has the value already. Compares people by account or name, dates by instant and tags in any order. */
function hasValue(item: ItemVersion, update: FieldUpdate): boolean {
  const { fields } = item
  const { field } = update
  const current = readValue(fields, field.referenceName)
  const value = valueToStore(item, update)
  if (isEqualValue(current, value)) return true
  if (typeof current !== 'string' || typeof value !== 'string') return false
  if (field.kind === 'identity')
    return listPersonNames(fields[field.referenceName]).some((name) => equalsIgnoringCase(name, value.trim()))
  if (field.kind === 'text') return isSameLongText(item, field, current, value)
  if (field.kind === 'path') return equalsIgnoringCase(current, value)
  if (field.kind === 'tags' || field.kind === 'list') return normalizeTags(current) === normalizeTags(value)
  return field.kind === 'date' && parseInstant(current) === parseInstant(value)
}

function listPersonNames(person: unknown): string[] {
  if (typeof person !== 'object' || person === null) return [String(person)]
  const { uniqueName, displayName } = person as { uniqueName?: unknown; displayName?: unknown }
  return [uniqueName, displayName].filter((name) => typeof name === 'string')
}

function normalizeTags(text: string): string {
  const tags = text
    .toLowerCase()
    .split(';')
    .map((tag) => tag.trim())
  return [...new Set(tags.filter((tag) => tag !== ''))].sort().join(';')
}

/** A time without a zone is UTC. */
function parseInstant(text: string): number {
  return Date.parse(/T[\d:.]+$/.test(text) ? `${text}Z` : text)
}

export function readValue(fields: Fields, referenceName: string): FieldValue {
  const value = fields[referenceName]
  if (value === undefined || value === null || value === '') return null
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(String).join('; ')
  if (typeof value === 'object') return listPersonNames(value)[0] ?? null
  return value as FieldValue
}

function isEqualValue(a: FieldValue, b: FieldValue): boolean {
  return typeof a === 'string' && typeof b === 'string' ? a.trim() === b.trim() : a === b
}
