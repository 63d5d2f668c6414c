import { type ChangeContext, changeItem, createItem, removeItem } from '../change/change-item'
import { parsePatch } from '../change/parse-patch'
import { type Endpoint, type EndpointCall, findItem, parseBody, parseBodyObject } from '../http/endpoint'
import { findField } from '../process/fields'
import { findType } from '../process/item-types'
import { getFirstRevision, getLastRevision, type Item } from '../state/item'
import type { ItemChange } from '../state/tracker-model'
import { type Expand, type ItemView, toItemJson, toWireInstant } from '../wire/item-json'
import {
  createBadRequestError,
  createFieldNotFoundError,
  createItemNotFoundError,
  createJsonResponse,
  createListResponse,
  WireError,
  type WireResponse,
} from '../wire/response'
import { buildItemUrl } from '../wire/urls'
import { createTypeNotFoundError } from './process'

const MAX_IDS = 200
/** The number of the policy, which some clients send. */
const OMIT_POLICY_NUMBER = '2'

/** Reads items. */
export const itemEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '_apis/wit/workitems', run: listItems },
  { method: 'GET', path: '_apis/wit/workitems/:id', run: getItem },
  { method: 'POST', path: '_apis/wit/workitemsbatch', run: postItemsBatch },
]

function getItem(call: EndpointCall): WireResponse {
  return createJsonResponse(
    toItemJson(findItem(call), createItemView(call, call.query.list('fields'), call.query.text('$expand'))),
  )
}

function listItems(call: EndpointCall): WireResponse {
  const ids = call.query.list('ids')?.map(Number)
  if (!ids) throw createBadRequestError('Value cannot be null. Parameter name: ids')
  const view = createItemView(call, call.query.list('fields'), call.query.text('$expand'))
  return respondWithItems(call, ids, view, call.query.text('errorPolicy'))
}

function postItemsBatch(call: EndpointCall): WireResponse {
  const { ids, fields, $expand, errorPolicy } = parseBodyObject(call)
  if (!Array.isArray(ids)) throw createBadRequestError('Value cannot be null. Parameter name: ids')
  const only = Array.isArray(fields) ? fields.map(String) : null
  return respondWithItems(call, ids, createItemView(call, only, toTextOrNull($expand)), toTextOrNull(errorPolicy))
}

/** Returns each item once, in the requested order. An unreadable item fails the call unless the policy is `omit`. */
function respondWithItems(
  call: EndpointCall,
  ids: readonly unknown[],
  view: ItemView,
  errorPolicy: string | null,
): WireResponse {
  if (ids.length > MAX_IDS) {
    throw createBadRequestError(
      `VS403474: You requested ${ids.length} work items which exceeds the limit of ${MAX_IDS}.`,
    )
  }
  const wanted = [...new Set(ids)].map((id) => {
    if (typeof id === 'number' && Number.isSafeInteger(id)) return id
    throw createBadRequestError(`The value '${String(id)}' is not valid for ids.`)
  })
  const omits = isOmitPolicy(errorPolicy)
  const found: Item[] = []
  for (const id of wanted) {
    const item = call.model.item(id)
    if (item) found.push(item)
    else if (!omits) throw createItemNotFoundError(id)
  }
  return createListResponse(found.map((item) => toItemJson(item, view)))
}

export function isOmitPolicy(errorPolicy: string | null): boolean {
  return errorPolicy?.toLowerCase() === 'omit' || errorPolicy === OMIT_POLICY_NUMBER
}

/** In the order of their numbers, which some clients send. */
const EXPAND_VALUES: readonly string[] = ['none', 'relations', 'fields', 'links', 'all']

/** `fields` and `$expand` are mutually exclusive. */
function createItemView(
  call: EndpointCall,
  fields: readonly string[] | null,
  expand: string | null,
  otherwise: Expand = 'none',
): ItemView {
  const chosen = expand === null ? otherwise : (EXPAND_VALUES[Number(expand)] ?? expand.toLowerCase())
  if (!EXPAND_VALUES.includes(chosen)) throw createBadRequestError(`The value '${expand}' is not valid for $expand.`)
  if (fields && expand !== null && chosen !== 'none') {
    throw new WireError(
      400,
      'ConflictingParametersException',
      'The expand parameter can not be used with the fields parameter.',
    )
  }
  const only = fields?.map((name) => {
    const field = findField(name)
    if (!field) throw createFieldNotFoundError(name)
    return field.referenceName
  })
  return { model: call.model, base: call.base, web: call.web, expand: chosen as Expand, only: only ?? null }
}

function toTextOrNull(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

/** Creates, changes and removes items. */
export const itemWriteEndpoints: readonly Endpoint[] = [
  { method: 'POST', path: '_apis/wit/workitems/:$type', isWrite: true, run: postItem },
  // A batch creates items by PATCH.
  { method: 'PATCH', path: '_apis/wit/workitems/:$type', isWrite: true, run: postItem },
  { method: 'PATCH', path: '_apis/wit/workitems/:id', isWrite: true, run: patchItem },
  { method: 'DELETE', path: '_apis/wit/workitems/:id', isWrite: true, run: deleteItem },
]

function postItem(call: EndpointCall): WireResponse {
  const type = findType(call.params.type!)
  if (!type) throw createTypeNotFoundError(call.params.type!, call)
  return applyAndRespond(call, createItem(type, parsePatchBody(call), createContext(call)))
}

function patchItem(call: EndpointCall): WireResponse {
  return applyAndRespond(call, changeItem(findItem(call), parsePatchBody(call), createContext(call)))
}

function applyAndRespond(call: EndpointCall, change: ItemChange): WireResponse {
  if (!call.query.flag('validateOnly')) call.model.apply(change)
  return createJsonResponse(
    toItemJson(change.item, createItemView(call, null, call.query.text('$expand'), 'relations')),
  )
}

/** With `bypassRules`, migration tools can set authors and dates, which the rules of the process forbid. */
function createContext(call: EndpointCall): ChangeContext {
  return { ...call, bypassRules: call.query.flag('bypassRules') }
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

function deleteItem(call: EndpointCall): WireResponse {
  const { model, base } = call
  const item = findItem(call)
  const { id } = item
  const { item: removed, links } = removeItem(item, call)
  model.apply({ item: removed, links })
  const { at, by } = getLastRevision(removed)
  return createJsonResponse({
    id,
    type: getFirstRevision(item).set['System.WorkItemType'],
    name: item.fields['System.Title'],
    project: model.project.name,
    deletedDate: toWireInstant(at),
    deletedBy: by,
    code: 200,
    url: `${base}/_apis/wit/recyclebin/${id}`,
    resource: { id, rev: removed.revisions.length, url: buildItemUrl(base, id) },
  })
}
