import { type ChangeContext, changeItem, createItem } from '../change/change-item'
import { parsePatch } from '../change/parse-patch'
import { removeItem } from '../change/remove-item'
import { type Endpoint, type EndpointCall, parseBody, parseIdParam } from '../http/endpoint'
import { findType } from '../process/item-types'
import { getFirstRevision, getLastRevision } from '../state/item'
import type { ItemChange } from '../state/tracker-model'
import { toWireInstant } from '../wire/field-values'
import { toItemJson } from '../wire/item-json'
import { createJsonResponse, type WireResponse } from '../wire/response'
import { buildItemUrl } from '../wire/urls'
import { createItemNotFoundError, WireError } from '../wire/wire-error'
import { createItemView } from './items'

/** Making, changing and removing an item. */
export const itemWriteEndpoints: readonly Endpoint[] = [
  { method: 'POST', path: '_apis/wit/workitems/:$type', isWrite: true, run: postItem },
  { method: 'PATCH', path: '_apis/wit/workitems/:$type', isWrite: true, run: postItem },
  { method: 'PATCH', path: '_apis/wit/workitems/:id', isWrite: true, run: patchItem },
  { method: 'DELETE', path: '_apis/wit/workitems/:id', isWrite: true, run: deleteItem },
]

function postItem(call: EndpointCall): WireResponse {
  const type = findType(call.params.type!)
  if (!type) {
    throw new WireError(
      404,
      'WorkItemTypeNotFoundException',
      `VS402323: Work item type ${call.params.type} does not exist in project ${call.model.project.name} or you do not have permission to access it.`,
    )
  }
  return applyAndRespond(call, createItem(type, parsePatchBody(call), createContext(call)))
}

function patchItem(call: EndpointCall): WireResponse {
  const id = parseIdParam(call)
  const item = call.model.item(id)
  if (!item) throw createItemNotFoundError(id)
  return applyAndRespond(call, changeItem(item, parsePatchBody(call), createContext(call)))
}

/** A dry run goes through every rule, and answers the item as it stays. */
function applyAndRespond(call: EndpointCall, change: ItemChange): WireResponse {
  const { model } = call
  const stays = model.item(change.item.id)
  const isDryRun = call.query.flag('validateOnly')
  if (!isDryRun) model.apply(change)
  const shown = isDryRun ? (stays ?? change.item) : change.item
  return createJsonResponse(toItemJson(shown, createItemView(call, null, call.query.text('$expand'), 'relations')))
}

/** Tools that move work items from elsewhere set who changed them and when, against the rules of the process. */
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
  const id = parseIdParam(call)
  const item = model.item(id)
  if (!item) throw createItemNotFoundError(id)
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
