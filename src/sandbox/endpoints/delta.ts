import { bodyOf, type Call, type Endpoint } from '../http/call'
import { type FieldDefinition, fieldOf, findField } from '../process/fields'
import { foldItem, type Item, lastRevision } from '../state/item'
import type { LinkChange } from '../state/state'
import type { TimelineEntry } from '../state/world'
import { type Answer, jsonAnswer } from '../wire/answer'
import { badRequest, noSuchField, Refusal } from '../wire/refusal'
import { fieldValue, flatValue, identity, shownFields, wireInstant, wireValue } from '../wire/values'

const MOST_ON_A_PAGE = 1000

/** What changed since a continuation token: saves of items, and links made or taken away. */
export const deltaEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '_apis/wit/reporting/workitemrevisions', run: (call) => revisions(call, {}) },
  { method: 'POST', path: '_apis/wit/reporting/workitemrevisions', run: (call) => revisions(call, bodyOf(call)) },
  { method: 'GET', path: '_apis/wit/reporting/workitemlinks', run: links },
]

function revisions(call: Call, body: Record<string, unknown>): Answer {
  const { world, query } = call
  const wanted = (name: string) =>
    Array.isArray(body[name]) ? (body[name] as unknown[]).map(String) : query.list(name)
  const flag = (name: string) => body[name] === true || query.flag(name)
  const types = wanted('types')?.map((type) => type.toLowerCase()) ?? null
  const shows = {
    only: onlyFields(wanted('fields')),
    identities: flag('includeIdentityRef'),
    long: query.text('$expand') === 'fields',
  }
  const [latestOnly, deletedToo] = [flag('includeLatestOnly'), flag('includeDeleted')]

  const timeline = world.timeline()
  const isWanted = (entry: TimelineEntry) => {
    const item = world.itemEvenDeleted(entry.id)!
    if (item.deleted && !deletedToo) return false
    if (latestOnly && entry.rev !== item.revisions.length) return false
    return types === null || types.includes(String(item.fields['System.WorkItemType']).toLowerCase())
  }
  const page = pageOf(
    timeline,
    startOf(call, timeline, (entry) => world.itemEvenDeleted(entry.id)!.revisions[entry.rev - 1]!.at),
    {
      size: pageSize(call),
      isWanted,
    },
  )
  const values = page.entries.map(({ id, rev }) => revisionJson(foldItem(world.itemEvenDeleted(id)!, rev), call, shows))
  return pageAnswer(call, 'workItemRevisions', values, page)
}

function links(call: Call): Answer {
  const { world, query } = call
  const types = query.list('linkTypes')?.map((type) => type.toLowerCase()) ?? null
  const log = world.linkChanges
  const page = pageOf(
    log,
    startOf(call, log, (change) => change.at),
    {
      size: pageSize(call),
      isWanted: (change) => types === null || types.includes(change.type.toLowerCase()),
    },
  )
  return pageAnswer(
    call,
    'workItemLinks',
    page.entries.map((change) => linkJson(change, call)),
    page,
  )
}

interface Page<Entry> {
  entries: Entry[]
  isLast: boolean
  /** Watermark of the last entry that was looked at. */
  upTo: number
}

function pageOf<Entry extends { watermark: number }>(
  log: readonly Entry[],
  start: number,
  { size, isWanted }: { size: number; isWanted(entry: Entry): boolean },
): Page<Entry> {
  const entries: Entry[] = []
  let at = start
  for (; at < log.length && entries.length < size; at += 1) if (isWanted(log[at]!)) entries.push(log[at]!)
  return { entries, isLast: at >= log.length, upTo: log[at - 1]?.watermark ?? 0 }
}

/** Where in the log to begin: behind the token, or at the first entry of an instant. */
function startOf<Entry extends { watermark: number }>(
  call: Call,
  log: readonly Entry[],
  instantOf: (entry: Entry) => string,
): number {
  const token = call.query.text('continuationToken')
  const since = call.query.text('startDateTime')
  if (token !== null && since !== null) {
    throw new Refusal(
      400,
      'ConflictingParametersException',
      'The startDateTime parameter can not be used with the continuationToken parameter.',
    )
  }
  if (since !== null) {
    const from = Date.parse(since)
    if (Number.isNaN(from)) throw badRequest(`The value '${since}' is not valid for startDateTime.`)
    const at = log.findIndex((entry) => Date.parse(instantOf(entry)) >= from)
    return at < 0 ? log.length : at
  }
  const watermark = token === null ? 0 : Number(/^(\d+)(;\d+;\d+)?$/.exec(token)?.[1])
  if (Number.isNaN(watermark)) throw badRequest(`The value '${token}' is not valid for continuationToken.`)
  return firstAfter(log, watermark)
}

/** The log is in order of watermarks. */
function firstAfter(log: readonly { watermark: number }[], watermark: number): number {
  let [low, high] = [0, log.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (log[middle]!.watermark <= watermark) low = middle + 1
    else high = middle
  }
  return low
}

function pageSize(call: Call): number {
  return Math.min(call.query.integer('$maxPageSize', 1) ?? MOST_ON_A_PAGE, MOST_ON_A_PAGE)
}

function pageAnswer(call: Call, name: string, values: unknown[], { isLast, upTo }: Page<unknown>): Answer {
  const continuationToken = String(upTo)
  const project = call.inProject ? `/${call.world.project.id}` : ''
  const nextLink = `${call.base}${project}/_apis/wit/reporting/${name}?continuationToken=${continuationToken}&api-version=7.1`
  return jsonAnswer({ values, nextLink, continuationToken, isLastBatch: isLast })
}

function onlyFields(names: string[] | null): FieldDefinition[] | null {
  return (
    names?.map((name) => {
      const field = findField(name)
      if (!field) throw noSuchField(name)
      return field
    }) ?? null
  )
}

/** A save with all fields that the item had then; long texts only where they are asked for. */
function revisionJson(
  item: Item,
  call: Call,
  shows: { only: FieldDefinition[] | null; identities: boolean; long: boolean },
): Record<string, unknown> {
  const shown = shows.only ?? shownFields(item, true).flatMap((name) => fieldOf(name) ?? [])
  const fields: Record<string, unknown> = {}
  for (const field of shown) {
    if (field.type === 'html' && !shows.only && !shows.long) continue
    const value = fieldValue(item, field.referenceName, call.world)
    if (value !== null) fields[field.referenceName] = (shows.identities ? wireValue : flatValue)(field, value, call)
  }
  return { id: item.id, rev: item.revisions.length, fields, ...(lastRevision(item).deleted ? { isDeleted: true } : {}) }
}

function linkJson(change: LinkChange, { world, base }: Call): Record<string, unknown> {
  const person = world.people.find(change.by)
  return {
    rel: change.type,
    sourceId: change.source,
    targetId: change.target,
    changedDate: wireInstant(change.at),
    changedBy: person ? identity(person, base) : change.by,
    comment: change.comment ?? '',
    isActive: change.active,
    changedOperation: change.active ? 'create' : 'remove',
    sourceProjectId: world.project.id,
    targetProjectId: world.project.id,
  }
}
