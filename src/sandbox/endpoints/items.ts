import { type Endpoint, type EndpointCall, parseBodyObject, parseIdParam } from '../http/endpoint'
import { findField } from '../process/fields'
import type { Item } from '../state/item'
import { type Expand, type ItemView, toItemJson } from '../wire/item-json'
import { createJsonResponse, createListResponse, type WireResponse } from '../wire/response'
import { createBadRequestError, createFieldNotFoundError, createItemNotFoundError, WireError } from '../wire/wire-error'

const MAX_IDS = 200
/** The number of the policy, which some clients send. */
const OMIT_POLICY_NUMBER = '2'

/** Reading items: one, some, many. */
export const itemEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '_apis/wit/workitems', run: listItems },
  { method: 'GET', path: '_apis/wit/workitems/:id', run: getItem },
  { method: 'POST', path: '_apis/wit/workitemsbatch', run: postItemsBatch },
]

function getItem(call: EndpointCall): WireResponse {
  const id = parseIdParam(call)
  const item = call.model.item(id)
  if (!item) throw createItemNotFoundError(id)
  return createJsonResponse(
    toItemJson(item, createItemView(call, call.query.list('fields'), call.query.text('$expand'))),
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

/** Each id once, in the order asked. What cannot be read is left out by `omit`, and else fails the call. */
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

/** In the order of their numbers: some clients send those. */
const EXPAND_VALUES: readonly string[] = ['none', 'relations', 'fields', 'links', 'all']

/** What of an item the call wants to see. `fields` and `$expand` exclude each other. */
export function createItemView(
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
