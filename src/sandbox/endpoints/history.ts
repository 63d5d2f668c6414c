import { type EndpointCall, findItem, parseIdParam } from '../http/endpoint'
import { type FieldDefinition, findField } from '../process/fields'
import { type Item, rebuildItem } from '../state/item'
import { listRelationNames } from '../state/links'
import type { FieldValue, LinkChange } from '../state/state'
import {
  listVisibleFields,
  readFieldValue,
  toIdentity,
  toLinkJson,
  toWireInstant,
  toWireValue,
} from '../wire/item-json'
import { WireError } from '../wire/response'
import { buildItemUrl } from '../wire/urls'

const MAX_PAGE_SIZE = 200

export function listUpdates(call: EndpointCall) {
  return selectPage(call, readUpdates(findItem(call), call))
}

export function getUpdate(call: EndpointCall) {
  const item = findItem(call)
  const number = parseIdParam(call, 'number')
  const update = readUpdates(item, call)[number - 1]
  if (update) return update
  throw new WireError(404, 'WorkItemUpdateNotFoundException', `Work item ${item.id} has no update ${number}.`)
}

/** Saves and link changes in the order in which they happened. A link change has its own number but creates no revision. */
function readUpdates(item: Item, call: EndpointCall) {
  const saves = item.revisions.map(({ watermark }, at) => ({ watermark, rev: at + 1, change: null }))
  const changes = call.model.linkChanges
    .filter(({ source, target }) => source === item.id || target === item.id)
    .map((change) => ({ watermark: change.watermark, rev: 0, change }))
  let latestRev = 1
  return [...saves, ...changes]
    .sort((a, b) => a.watermark - b.watermark)
    .map(({ rev, change }, at) => {
      latestRev = Math.max(latestRev, rev)
      return {
        id: at + 1,
        workItemId: item.id,
        rev: latestRev,
        ...(change === null ? toSaveJson(item, rev, call) : toLinkChangeJson(item.id, change, call)),
        url: `${buildItemUrl(call.base, item.id)}/updates/${at + 1}`,
      }
    })
}

function toSaveJson(item: Item, rev: number, call: EndpointCall) {
  const after = rebuildItem(item, rev)
  const before = rev > 1 ? rebuildItem(item, rev - 1) : null
  const names = new Set([...listVisibleFields(after, true), ...(before ? listVisibleFields(before, true) : [])])
  const named = (key: string, field: FieldDefinition, value: FieldValue | null) =>
    value === null ? {} : { [key]: toWireValue(field, value, call) }
  const fields: Record<string, Record<string, unknown>> = {}
  for (const name of names) {
    const field = findField(name)
    const oldValue = before && readFieldValue(before, name, call.model)
    const newValue = readFieldValue(after, name, call.model)
    if (field && oldValue !== newValue)
      fields[name] = { ...named('oldValue', field, oldValue), ...named('newValue', field, newValue) }
  }
  return { ...toStampJson(after.revisions[rev - 1]!, call), fields }
}

function toLinkChangeJson(itemId: number, change: LinkChange, call: EndpointCall) {
  const isSource = change.source === itemId
  const [forward, reverse] = listRelationNames(change.type)
  const relation = isSource
    ? toLinkJson(forward, change.target, call.base)
    : toLinkJson(reverse, change.source, call.base)
  return { ...toStampJson(change, call), relations: { [change.active ? 'added' : 'removed']: [relation] } }
}

export function toStampJson({ at, by }: { at: string; by: string }, { model, base }: EndpointCall) {
  const person = model.people.find(by)
  return { revisedBy: person ? toIdentity(person, base) : { displayName: by }, revisedDate: toWireInstant(at) }
}

export function selectPage<T>(call: EndpointCall, list: readonly T[]): T[] {
  const skip = call.query.integer('$skip') ?? 0
  const top = call.query.integer('$top', 1) ?? MAX_PAGE_SIZE
  return list.slice(skip, skip + Math.min(top, MAX_PAGE_SIZE))
}
