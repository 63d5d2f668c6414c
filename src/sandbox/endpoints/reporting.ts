import type { Endpoint, EndpointCall } from '../http/endpoint'
import { type FieldDefinition, findField, getField } from '../process/fields'
import { getLastRevision, type Item, rebuildItem } from '../state/item'
import type { LinkChange } from '../state/state'
import type { TimelineEntry } from '../state/tracker-model'
import { listVisibleFields, readFieldValue, toFlatValue, toIdentity, toWireInstant } from '../wire/item-json'
import {
  createBadRequestError,
  createFieldNotFoundError,
  createJsonResponse,
  WireError,
  type WireResponse,
} from '../wire/response'

const MAX_PAGE_SIZE = 1000

/** Feeds of changes since a continuation token: saves of items, and added or removed links. */
export const reportingEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '_apis/wit/reporting/workitemrevisions', run: listRevisions },
  { method: 'GET', path: '_apis/wit/reporting/workitemlinks', run: listLinkChanges },
]

function listRevisions(call: EndpointCall): WireResponse {
  const { model, query } = call
  const fields = parseFields(query.list('fields'))
  const [latestOnly, deletedToo] = [query.flag('includeLatestOnly'), query.flag('includeDeleted')]

  const timeline = model.listTimeline()
  const isWanted = (entry: TimelineEntry) => {
    const item = model.findItemEvenDeleted(entry.id)!
    if (item.isDeleted && !deletedToo) return false
    return !latestOnly || entry.rev === item.revisions.length
  }
  const page = readPage(
    timeline,
    findStart(call, timeline, (entry) => model.findItemEvenDeleted(entry.id)!.revisions[entry.rev - 1]!.at),
    {
      size: parsePageSize(call),
      isWanted,
    },
  )
  const values = page.entries.map(({ id, rev }) =>
    toRevisionJson(rebuildItem(model.findItemEvenDeleted(id)!, rev), call, fields),
  )
  return createFeedResponse(call, 'workItemRevisions', values, page)
}

function listLinkChanges(call: EndpointCall): WireResponse {
  const { model } = call
  const log = model.linkChanges
  const page = readPage(
    log,
    findStart(call, log, (change) => change.at),
    {
      size: parsePageSize(call),
      isWanted: () => true,
    },
  )
  return createFeedResponse(
    call,
    'workItemLinks',
    page.entries.map((change) => toLinkJson(change, call)),
    page,
  )
}

interface Page<Entry> {
  entries: Entry[]
  isLast: boolean
  /** The watermark of the last examined entry. */
  upTo: number
}

function readPage<Entry extends { watermark: number }>(
  log: readonly Entry[],
  start: number,
  { size, isWanted }: { size: number; isWanted(entry: Entry): boolean },
): Page<Entry> {
  const entries: Entry[] = []
  let at = start
  for (; at < log.length && entries.length < size; at += 1) if (isWanted(log[at]!)) entries.push(log[at]!)
  return { entries, isLast: at >= log.length, upTo: log[at - 1]?.watermark ?? 0 }
}

/** The index after the continuation token, or of the first entry at or after an instant. */
function findStart<Entry extends { watermark: number }>(
  call: EndpointCall,
  log: readonly Entry[],
  instantOf: (entry: Entry) => string,
): number {
  const token = call.query.text('continuationToken')
  const since = call.query.text('startDateTime')
  if (token !== null && since !== null) {
    throw new WireError(
      400,
      'ConflictingParametersException',
      'The startDateTime parameter can not be used with the continuationToken parameter.',
    )
  }
  if (since !== null) {
    const from = Date.parse(since)
    if (Number.isNaN(from)) throw createBadRequestError(`The value '${since}' is not valid for startDateTime.`)
    const at = log.findIndex((entry) => Date.parse(instantOf(entry)) >= from)
    return at < 0 ? log.length : at
  }
  const watermark = token === null ? 0 : Number(/^(\d+)(;\d+;\d+)?$/.exec(token)?.[1])
  if (Number.isNaN(watermark)) throw createBadRequestError(`The value '${token}' is not valid for continuationToken.`)
  return findFirstAfter(log, watermark)
}

/** Binary search, because the log is ordered by watermark. */
function findFirstAfter(log: readonly { watermark: number }[], watermark: number): number {
  let [low, high] = [0, log.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (log[middle]!.watermark <= watermark) low = middle + 1
    else high = middle
  }
  return low
}

function parsePageSize(call: EndpointCall): number {
  return Math.min(call.query.integer('$maxPageSize', 1) ?? MAX_PAGE_SIZE, MAX_PAGE_SIZE)
}

function createFeedResponse(
  call: EndpointCall,
  name: string,
  values: unknown[],
  { isLast, upTo }: Page<unknown>,
): WireResponse {
  const continuationToken = String(upTo)
  const project = call.inProject ? `/${call.model.project.id}` : ''
  const nextLink = `${call.base}${project}/_apis/wit/reporting/${name}?continuationToken=${continuationToken}&api-version=7.1`
  return createJsonResponse({ values, nextLink, continuationToken, isLastBatch: isLast })
}

function parseFields(names: string[] | null): FieldDefinition[] | null {
  return (
    names?.map((name) => {
      const field = findField(name)
      if (!field) throw createFieldNotFoundError(name)
      return field
    }) ?? null
  )
}

/** A save with all fields that the item had at that time, except long texts. */
function toRevisionJson(item: Item, call: EndpointCall, only: FieldDefinition[] | null): Record<string, unknown> {
  const shown = only ?? listVisibleFields(item, true).flatMap((name) => getField(name) ?? [])
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
    ...(getLastRevision(item).deleted ? { isDeleted: true } : {}),
  }
}

function toLinkJson(change: LinkChange, { model, base }: EndpointCall): Record<string, unknown> {
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
