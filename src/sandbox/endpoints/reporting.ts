import type { EndpointCall } from '../http/endpoint'
import { type FieldDefinition, findField, requireField } from '../process/fields'
import { type Item, rebuildItem } from '../state/item'
import type { LinkChange } from '../state/state'
import { listVisibleFields, readFieldValue, toFlatValue, toIdentity, toWireInstant } from '../wire/item-json'
import { createBadRequestError, WireError } from '../wire/response'

const MAX_PAGE_SIZE = 1000

/** The saves of items. */
export function listRevisions(call: EndpointCall) {
  const { model, query } = call
  const fields = query.list('fields')?.map(requireField) ?? null
  const [latestOnly, deletedToo] = [query.flag('includeLatestOnly'), query.flag('includeDeleted')]
  return readFeed(call, 'workItemRevisions', model.listTimeline(), ({ id, rev }) => {
    const item = model.findItemEvenDeleted(id)!
    const isWanted = (deletedToo || !item.isDeleted) && (!latestOnly || rev === item.revisions.length)
    return isWanted ? toRevisionJson(rebuildItem(item, rev), call, fields) : null
  })
}

/** Added and removed links. */
export function listLinkChanges(call: EndpointCall) {
  return readFeed(call, 'workItemLinks', call.model.linkChanges, (change) => toLinkJson(change, call))
}

/** An entry of a log, which is ordered by watermark. */
interface LogEntry {
  watermark: number
  at: string
}

/** A page of the feed: the entries after the continuation token, or from an instant on. `toJson` returns null for an entry to omit. */
function readFeed<Entry extends LogEntry>(
  call: EndpointCall,
  name: string,
  log: readonly Entry[],
  toJson: (entry: Entry) => Record<string, unknown> | null,
) {
  const size = Math.min(call.query.integer('$maxPageSize', 1) ?? MAX_PAGE_SIZE, MAX_PAGE_SIZE)
  const values: Record<string, unknown>[] = []
  let at = findStart(call, log)
  for (; at < log.length && values.length < size; at += 1) {
    const value = toJson(log[at]!)
    if (value) values.push(value)
  }
  const continuationToken = String(log[at - 1]?.watermark ?? 0)
  const project = call.inProject ? `/${call.model.project.id}` : ''
  const nextLink = `${call.base}${project}/_apis/wit/reporting/${name}?continuationToken=${continuationToken}&api-version=7.1`
  return { values, nextLink, continuationToken, isLastBatch: at >= log.length }
}

/** The index of the first entry to return. */
function findStart({ query }: EndpointCall, log: readonly LogEntry[]): number {
  const token = query.text('continuationToken')
  const since = query.text('startDateTime')
  if (token !== null && since !== null) {
    throw new WireError(
      400,
      'ConflictingParametersException',
      'The startDateTime parameter can not be used with the continuationToken parameter.',
    )
  }
  const from = since === null ? null : Date.parse(since)
  if (Number.isNaN(from)) throw createBadRequestError(`The value '${since}' is not valid for startDateTime.`)
  const watermark = token === null ? 0 : Number(/^(\d+)(;\d+;\d+)?$/.exec(token)?.[1])
  if (Number.isNaN(watermark)) throw createBadRequestError(`The value '${token}' is not valid for continuationToken.`)
  const start = log.findIndex((entry) => (from === null ? entry.watermark > watermark : Date.parse(entry.at) >= from))
  return start < 0 ? log.length : start
}

/** A save with all fields that the item had at that time, except long texts. */
function toRevisionJson(item: Item, call: EndpointCall, only: FieldDefinition[] | null) {
  const shown = only ?? listVisibleFields(item, true).flatMap((name) => findField(name) ?? [])
  const fields: Record<string, unknown> = {}
  for (const field of shown) {
    if (field.type === 'html' && !only) continue
    const value = readFieldValue(item, field.referenceName, call.model)
    if (value !== null) fields[field.referenceName] = toFlatValue(field, value, call)
  }
  return {
    id: item.id,
    rev: item.revisions.length,
    fields,
  }
}

function toLinkJson(change: LinkChange, { model, base }: EndpointCall) {
  const person = model.people.find(change.by)
  return {
    rel: change.type,
    sourceId: change.source,
    targetId: change.target,
    changedDate: toWireInstant(change.at),
    changedBy: person ? toIdentity(person, base) : change.by,
    comment: change.comment ?? '',
    isActive: change.active,
    changedOperation: change.active ? 'create' : 'remove',
    sourceProjectId: model.project.id,
    targetProjectId: model.project.id,
  }
}
