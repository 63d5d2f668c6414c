import { changeItem } from '../change/change-item'
import { parsePatch } from '../change/parse-patch'
import { type Endpoint, type EndpointCall, parseBodyObject, parseIdParam } from '../http/endpoint'
import { HISTORY, type Item } from '../state/item'
import { createJsonResponse, type WireResponse } from '../wire/response'
import { buildItemUrl, insertAddress } from '../wire/urls'
import { createBadRequestError, WireError } from '../wire/wire-error'
import { findItem, selectPage, toStampJson } from './history'

/** Comments: each is the text of one save. They are read and added here, not edited. */
export const commentEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '_apis/wit/workitems/:id/comments', run: listComments },
  { method: 'GET', path: '_apis/wit/workitems/:id/comments/:commentId', run: getComment },
  { method: 'POST', path: '_apis/wit/workitems/:id/comments', isWrite: true, run: addComment },
]

/** The newest first, unless the call asks for the oldest first. */
function listComments(call: EndpointCall): WireResponse {
  const all = readComments(findItem(call), call)
  const isAscending = ['asc', '1'].includes(call.query.text('order')?.toLowerCase() ?? '')
  const comments = selectPage(call, isAscending ? all : all.reverse())
  return createJsonResponse({ totalCount: all.length, count: comments.length, comments })
}

function getComment(call: EndpointCall): WireResponse {
  const item = findItem(call)
  const id = parseIdParam(call, 'commentId')
  const comment = readComments(item, call).find((one) => one.id === id)
  if (comment) return createJsonResponse(comment)
  throw new WireError(404, 'WorkItemCommentNotFoundException', `Work item ${item.id} has no comment ${id}.`)
}

function addComment(call: EndpointCall): WireResponse {
  const item = findItem(call)
  const { text } = parseBodyObject(call)
  if (typeof text !== 'string' || text === '') throw createBadRequestError('Value cannot be null. Parameter name: text')
  const change = changeItem(item, parsePatch([{ op: 'add', path: `/fields/${HISTORY}`, value: text }]), call)
  call.model.apply(change)
  return createJsonResponse(readComments(change.item, call).at(-1))
}

/** The oldest first. Older and newer versions of the interface name the number differently. */
function readComments(item: Item, call: EndpointCall) {
  return item.revisions.flatMap((save, at) => {
    const text = save.set[HISTORY]
    if (typeof text !== 'string') return []
    const { revisedBy: by, revisedDate: date } = toStampJson(save, call)
    const id = at + 1
    return [
      {
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
      },
    ]
  })
}
