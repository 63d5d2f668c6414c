import { type ChangeContext, changeItem, createItem, removeItem, restoreItem } from '../change/change-item'
import { parsePatch } from '../change/parse-patch'
import {
  checkEntryCount,
  type EndpointCall,
  findItem,
  parseBody,
  parseBodyObject,
  parseIdParam,
} from '../http/endpoint'
import { requireField } from '../process/fields'
import { getFirstRevision, getLastRevision, type Item } from '../state/item'
import type { ItemChange } from '../state/tracker-model'
import { type Expand, type ItemView, toItemJson, toWireInstant } from '../wire/item-json'
import { createBadRequestError, createItemNotFoundError, WireError } from '../wire/response'
import { buildItemUrl } from '../wire/urls'
import { requireType } from './process'

/** The number of the policy, which some clients send. */
const OMIT_POLICY_NUMBER = '2'

export function getItem(call: EndpointCall) {
  return toItemJson(findItem(call), createItemView(call, call.query.list('fields'), call.query.text('$expand')))
}

export function listItems(call: EndpointCall) {
  const ids = call.query.list('ids')?.map(Number)
  const view = createItemView(call, call.query.list('fields'), call.query.text('$expand'))
  return readItems(call, ids, view, call.query.text('errorPolicy'))
}

export function postItemsBatch(call: EndpointCall) {
  const { ids, fields, $expand, errorPolicy } = parseBodyObject(call)
  const only = Array.isArray(fields) ? fields.map(String) : null
  return readItems(call, ids, createItemView(call, only, toTextOrNull($expand)), toTextOrNull(errorPolicy))
}

/** Returns each item once, in the requested order. An unreadable item fails the call unless the policy is `omit`. */
function readItems(call: EndpointCall, ids: unknown, view: ItemView, errorPolicy: string | null) {
  if (!Array.isArray(ids)) throw createBadRequestError('Value cannot be null. Parameter name: ids')
  checkEntryCount(ids.length)
  const invalid = ids.find((id) => !Number.isSafeInteger(id))
  if (invalid !== undefined) throw createBadRequestError(`The value '${String(invalid)}' is not valid for ids.`)
  return [...new Set<number>(ids)].flatMap((id) => {
    const item = call.model.item(id)
    if (item) return toItemJson(item, view)
    if (isOmitPolicy(errorPolicy)) return []
    throw createItemNotFoundError(id)
  })
}

export function isOmitPolicy(errorPolicy: string | null): boolean {
  return errorPolicy?.toLowerCase() === 'omit' || errorPolicy === OMIT_POLICY_NUMBER
}

/** In the order of their numbers, which some clients send. */
const EXPAND_VALUES: readonly string[] = ['none', 'relations', 'fields', 'links', 'all']

/** `fields` and `$expand` are mutually exclusive. */
function createItemView(
  { model, base, web }: EndpointCall,
  fields: readonly string[] | null,
  expand: string | null,
): ItemView {
  const chosen = expand === null ? 'none' : (EXPAND_VALUES[Number(expand)] ?? expand.toLowerCase())
  if (!EXPAND_VALUES.includes(chosen)) throw createBadRequestError(`The value '${expand}' is not valid for $expand.`)
  if (fields && chosen !== 'none') {
    throw new WireError(
      400,
      'ConflictingParametersException',
      'The expand parameter can not be used with the fields parameter.',
    )
  }
  const only = fields?.map((field) => requireField(field).referenceName) ?? null
  return { model, base, web, expand: chosen as Expand, only }
}

function toTextOrNull(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

export function postItem(call: EndpointCall) {
  return applyPatch(call, (context) => createItem(requireType(call), parsePatchBody(call), context))
}

export function patchItem(call: EndpointCall) {
  return applyPatch(call, (context) => changeItem(findItem(call), parsePatchBody(call), context))
}

/** With `bypassRules`, migration tools can set authors and dates, which the rules of the process forbid. */
function applyPatch(call: EndpointCall, createChange: (context: ChangeContext) => ItemChange) {
  const change = createChange({ ...call, bypassRules: call.query.flag('bypassRules') })
  if (!call.query.flag('validateOnly')) call.model.apply(change)
  return toItemJson(change.item, createItemView(call, null, call.query.text('$expand') ?? 'relations'))
}

function parsePatchBody(call: EndpointCall) {
  if (!/^application\/json-patch\+json\b/i.test(call.contentType)) {
    throw new WireError(
      415,
      'VssRequestContentTypeNotSupportedException',
      `The request indicated a Content-Type of "${call.contentType}" for method type "PATCH" which is not supported. Valid content types for this method are: application/json-patch+json.`,
    )
  }
  return parsePatch(parseBody(call))
}

export function deleteItem(call: EndpointCall) {
  const { model, base } = call
  const item = findItem(call)
  const { id } = item
  const change = removeItem(item, call)
  model.apply(change)
  const resource = { id, rev: change.item.revisions.length, url: buildItemUrl(base, id) }
  return { ...toDeletionJson(change.item, call), resource }
}

/** The deleted items among those of the query, or all. */
export function listDeletedItems(call: EndpointCall) {
  const ids = call.query.list('ids')?.map(Number)
  const found = [...call.model.listDeletedItems()].filter(({ id }) => ids === undefined || ids.includes(id))
  return found.map((item) => toDeletionJson(item, call))
}

export function getDeletedItem(call: EndpointCall) {
  return toDeletionJson(findDeletedItem(call), call)
}

export function restoreDeletedItem(call: EndpointCall) {
  const item = findDeletedItem(call)
  if (parseBodyObject(call)['IsDeleted'] !== false && parseBodyObject(call)['isDeleted'] !== false)
    throw createBadRequestError('The value of IsDeleted must be false.')
  call.model.apply(restoreItem(item, call))
  return toDeletionJson(item, call)
}

function findDeletedItem(call: EndpointCall): Item {
  const id = parseIdParam(call)
  const item = call.model.findItemEvenDeleted(id)
  if (item?.isDeleted) return item
  throw new WireError(
    404,
    'WorkItemUnauthorizedAccessException',
    `TF401232: Work item ${id} does not exist in the recycle bin, or you do not have permissions to read it.`,
  )
}

function toDeletionJson(item: Item, { model, base }: EndpointCall) {
  const { at, by } = getLastRevision(item)
  return {
    id: item.id,
    type: getFirstRevision(item).set['System.WorkItemType'],
    name: item.fields['System.Title'],
    project: model.project.name,
    deletedDate: toWireInstant(at),
    deletedBy: by,
    code: 200,
    url: `${base}/_apis/wit/recyclebin/${item.id}`,
  }
}
