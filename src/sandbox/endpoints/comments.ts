import { changeItem } from '../change/change-item'
import { parsePatch } from '../change/parse-patch'
import { type EndpointCall, findItem, parseBodyObject, parseIdParam } from '../http/endpoint'
import { appendRevision, HISTORY, type Item } from '../state/item'
import { createBadRequestError, NoContent, WireError } from '../wire/response'
import { buildItemUrl, insertAddress, removeAddress } from '../wire/urls'
import { selectPage, toStampJson } from './history'

/** Each comment is the text of one save. The newest comes first, unless the call requests ascending order. */
export function listComments(call: EndpointCall) {
  const all = readComments(findItem(call), call).filter(({ isDeleted }) => !isDeleted)
  const isAscending = ['asc', '1'].includes(call.query.text('order')?.toLowerCase() ?? '')
  const comments = selectPage(call, isAscending ? all : all.reverse())
  return { totalCount: all.length, count: comments.length, comments }
}

export function getComment(call: EndpointCall) {
  return findComment(findItem(call), call)
}

export function addComment(call: EndpointCall) {
  const item = findItem(call)
  const change = changeItem(item, parsePatch([{ op: 'add', path: `/fields/${HISTORY}`, value: readText(call) }]), call)
  call.model.apply(change)
  return readComments(change.item, call).at(-1)
}

export function patchComment(call: EndpointCall) {
  const text = removeAddress(readText(call), call)
  return findComment(changeComment(call, text), call)
}

export function deleteComment(call: EndpointCall) {
  changeComment(call, null)
  return new NoContent()
}

function readText(call: EndpointCall): string {
  const { text } = parseBodyObject(call)
  if (typeof text !== 'string' || text === '') throw createBadRequestError('Value cannot be null. Parameter name: text')
  return text
}

/** Saves the item with another text of a comment of the signed-in user; null deletes it. */
function changeComment(call: EndpointCall, text: string | null): Item {
  const { model, now } = call
  const item = findItem(call)
  const { id } = findComment(item, call)
  const by = model.people.signedIn.uniqueName
  if (item.revisions[id - 1]!.by !== by) {
    throw new WireError(
      403,
      'WorkItemCommentUpdateUnauthorizedException',
      'You do not have permission to edit this comment. Only its author can.',
    )
  }
  const stamp = { watermark: model.nextWatermark, at: new Date(now).toISOString(), by }
  const changed = appendRevision(item, { ...stamp, set: {}, comment: { id, text } })
  model.apply({ item: changed, links: [] })
  return changed
}

function findComment(item: Item, call: EndpointCall) {
  const id = parseIdParam(call, 'commentId')
  const comment = readComments(item, call).find((one) => one.id === id && !one.isDeleted)
  if (comment) return comment
  throw new WireError(404, 'WorkItemCommentNotFoundException', `Work item ${item.id} has no comment ${id}.`)
}

/** The oldest first. Versions of the API differ in the name of the number, so both names are sent. */
function readComments(item: Item, call: EndpointCall) {
  return item.revisions.flatMap((save, at) => {
    const first = save.set[HISTORY]
    if (typeof first !== 'string') return []
    const id = at + 1
    const changes = item.revisions.filter(({ comment }) => comment?.id === id)
    const last = changes.at(-1)
    const { revisedBy: by, revisedDate: date } = toStampJson(save, call)
    const { revisedBy: changedBy, revisedDate: changedDate } = toStampJson(last ?? save, call)
    const text = last ? last.comment!.text : first
    return {
      workItemId: item.id,
      id,
      commentId: id,
      version: 1 + changes.length,
      text: insertAddress(text ?? '', call),
      createdBy: by,
      createdDate: date,
      modifiedBy: changedBy,
      modifiedDate: changedDate,
      isDeleted: text === null,
      format: 'html',
      url: `${buildItemUrl(call.base, item.id)}/comments/${id}`,
    }
  })
}
