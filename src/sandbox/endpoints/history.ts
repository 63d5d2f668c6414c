import { type Endpoint, type EndpointCall, parseIdParam } from '../http/endpoint'
import { type FieldDefinition, getField } from '../process/fields'
import { type Item, rebuildItem } from '../state/item'
import { getDirection } from '../state/links'
import type { FieldValue, LinkChange } from '../state/state'
import { listVisibleFields, readFieldValue, toIdentity, toWireInstant, toWireValue } from '../wire/field-values'
import { toItemJson } from '../wire/item-json'
import { createJsonResponse, createListResponse, type WireResponse } from '../wire/response'
import { buildItemUrl } from '../wire/urls'
import { createItemNotFoundError, WireError } from '../wire/wire-error'
import { createItemView } from './items'

const MAX_PAGE_SIZE = 200

/** How an item came to be what it is. */
export const historyEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '_apis/wit/workitems/:id/revisions', run: listRevisions },
  { method: 'GET', path: '_apis/wit/workitems/:id/revisions/:rev', run: getRevision },
  { method: 'GET', path: '_apis/wit/workitems/:id/updates', run: listUpdates },
  { method: 'GET', path: '_apis/wit/workitems/:id/updates/:number', run: getUpdate },
]

function listRevisions(call: EndpointCall): WireResponse {
  const item = findItem(call)
  const view = createItemView(call, null, call.query.text('$expand'))
  const revisions = item.revisions.map((_, at) => at + 1)
  return createListResponse(selectPage(call, revisions).map((rev) => toItemJson(rebuildItem(item, rev), view)))
}

function getRevision(call: EndpointCall): WireResponse {
  const item = findItem(call)
  const rev = parseIdParam(call, 'rev')
  if (rev > item.revisions.length) {
    throw new WireError(
      404,
      'WorkItemIdRevisionNotFoundException',
      `TF401233: Work item ${item.id} has no revision ${rev}.`,
    )
  }
  return createJsonResponse(toItemJson(rebuildItem(item, rev), createItemView(call, null, call.query.text('$expand'))))
}

type Event = { watermark: number } & ({ kind: 'save'; rev: number } | { kind: 'link'; change: LinkChange })

function listUpdates(call: EndpointCall): WireResponse {
  return createListResponse(selectPage(call, readUpdates(findItem(call), call)))
}

function getUpdate(call: EndpointCall): WireResponse {
  const item = findItem(call)
  const number = parseIdParam(call, 'number')
  const update = readUpdates(item, call)[number - 1]
  if (update) return createJsonResponse(update)
  throw new WireError(404, 'WorkItemUpdateNotFoundException', `Work item ${item.id} has no update ${number}.`)
}

/** Saves and link changes in the order in which they came; a link change has a number of its own and no revision. */
function readUpdates(item: Item, call: EndpointCall): Record<string, unknown>[] {
  const events: Event[] = [
    ...item.revisions.map(({ watermark }, at) => ({ kind: 'save' as const, watermark, rev: at + 1 })),
    ...call.model.linkChanges
      .filter(({ source, target }) => source === item.id || target === item.id)
      .map((change) => ({ kind: 'link' as const, watermark: change.watermark, change })),
  ].sort((a, b) => a.watermark - b.watermark)
  let rev = 0
  return events.map((event, at) => {
    if (event.kind === 'save') rev = event.rev
    return {
      id: at + 1,
      workItemId: item.id,
      rev: Math.max(rev, 1),
      ...(event.kind === 'save' ? toSaveJson(item, event.rev, call) : toLinkJson(item.id, event.change, call)),
      url: `${buildItemUrl(call.base, item.id)}/updates/${at + 1}`,
    }
  })
}

function toSaveJson(item: Item, rev: number, call: EndpointCall): Record<string, unknown> {
  const after = rebuildItem(item, rev)
  const before = rev > 1 ? rebuildItem(item, rev - 1) : null
  const names = new Set([...listVisibleFields(after, true), ...(before ? listVisibleFields(before, true) : [])])
  const fields: Record<string, { oldValue?: unknown; newValue?: unknown }> = {}
  for (const name of names) {
    const field = getField(name)
    const [oldValue, newValue] = [
      before && readFieldValue(before, name, call.model),
      readFieldValue(after, name, call.model),
    ]
    if (field && oldValue !== newValue)
      fields[name] = { ...named('oldValue', field, oldValue), ...named('newValue', field, newValue) }
  }
  return { ...toStampJson(after.revisions[rev - 1]!, call), fields }

  function named(key: string, field: FieldDefinition, value: FieldValue | null): Record<string, unknown> {
    return value === null ? {} : { [key]: toWireValue(field, value, call) }
  }
}

function toLinkJson(itemId: number, change: LinkChange, call: EndpointCall): Record<string, unknown> {
  const isSource = change.source === itemId
  const rel =
    change.type === 'System.LinkTypes.Related' ? change.type : `${change.type}-${isSource ? 'Forward' : 'Reverse'}`
  const relation = {
    rel,
    url: buildItemUrl(call.base, isSource ? change.target : change.source),
    attributes: { isLocked: false, name: getDirection(rel).name },
  }
  return { ...toStampJson(change, call), relations: { [change.active ? 'added' : 'removed']: [relation] } }
}

export function toStampJson(
  { at, by }: { at: string; by: string },
  { model, base }: EndpointCall,
): Record<string, unknown> {
  const person = model.people.find(by)
  return { revisedBy: person ? toIdentity(person, base) : { displayName: by }, revisedDate: toWireInstant(at) }
}

export function findItem(call: EndpointCall): Item {
  const id = parseIdParam(call)
  const item = call.model.item(id)
  if (!item) throw createItemNotFoundError(id)
  return item
}

export function selectPage<T>(call: EndpointCall, list: readonly T[]): T[] {
  const skip = call.query.integer('$skip') ?? 0
  const top = call.query.integer('$top', 1) ?? MAX_PAGE_SIZE
  return list.slice(skip, skip + Math.min(top, MAX_PAGE_SIZE))
}
