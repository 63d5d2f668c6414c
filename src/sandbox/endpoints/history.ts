import { changeItem } from '../change/change-item'
import { parsePatch } from '../change/parse-patch'
import { type EndpointCall, findItem, parseBodyObject, parseIdParam } from '../http/endpoint'
import { type FieldDefinition, findField } from '../process/fields'
import { HISTORY, type Item, rebuildItem } from '../state/item'
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
import { createBadRequestError, WireError } from '../wire/response'
import { buildItemUrl, insertAddress } from '../wire/urls'

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

function toStampJson({ at, by }: { at: string; by: string }, { model, base }: EndpointCall) {
  const person = model.people.find(by)
  return { revisedBy: person ? toIdentity(person, base) : { displayName: by }, revisedDate: toWireInstant(at) }
}

function selectPage<T>(call: EndpointCall, list: readonly T[]): T[] {
  const skip = call.query.integer('$skip') ?? 0
  const top = call.query.integer('$top', 1) ?? MAX_PAGE_SIZE
  return list.slice(skip, skip + Math.min(top, MAX_PAGE_SIZE))
}

/** Each comment is the text of one save. The newest comes first, unless the call requests ascending order. */
export function listComments(call: EndpointCall) {
  const all = readComments(findItem(call), call)
  const isAscending = ['asc', '1'].includes(call.query.text('order')?.toLowerCase() ?? '')
  const comments = selectPage(call, isAscending ? all : all.reverse())
  return { totalCount: all.length, count: comments.length, comments }
}

export function getComment(call: EndpointCall) {
  const item = findItem(call)
  const id = parseIdParam(call, 'commentId')
  const comment = readComments(item, call).find((one) => one.id === id)
  if (comment) return comment
  throw new WireError(404, 'WorkItemCommentNotFoundException', `Work item ${item.id} has no comment ${id}.`)
}

export function addComment(call: EndpointCall) {
  const item = findItem(call)
  const { text } = parseBodyObject(call)
  if (typeof text !== 'string' || text === '') throw createBadRequestError('Value cannot be null. Parameter name: text')
  const change = changeItem(item, parsePatch([{ op: 'add', path: `/fields/${HISTORY}`, value: text }]), call)
  call.model.apply(change)
  return readComments(change.item, call).at(-1)
}

/** The oldest first. Versions of the API differ in the name of the number, so both names are sent. */
function readComments(item: Item, call: EndpointCall) {
  return item.revisions.flatMap((save, at) => {
    const text = save.set[HISTORY]
    if (typeof text !== 'string') return []
    const { revisedBy: by, revisedDate: date } = toStampJson(save, call)
    const id = at + 1
    return {
      workItemId: item.id,
      id,
      commentId: id,
      version: 1,
      text: insertAddress(text, call),
      createdBy: by,
      createdDate: date,
      modifiedBy: by,
      modifiedDate: date,
      isDeleted: false,
      format: 'html',
      url: `${buildItemUrl(call.base, item.id)}/comments/${id}`,
    }
  })
}
