import { changeItem } from '../change/item-change'
import { readPatch } from '../change/patch'
import { bodyOf, type Call, type Endpoint, idParam } from '../http/call'
import { HISTORY, type Item } from '../state/item'
import { itemUrl, withAddress } from '../wire/addresses'
import { type Answer, jsonAnswer } from '../wire/answer'
import { badRequest, Refusal } from '../wire/refusal'
import { itemIn, paged, stamp } from './history'

/** Comments: each is the text of one save. They are read and added here, not edited. */
export const commentEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '_apis/wit/workitems/:id/comments', run: listComments },
  { method: 'GET', path: '_apis/wit/workitems/:id/comments/:commentId', run: oneComment },
  { method: 'POST', path: '_apis/wit/workitems/:id/comments', changes: true, run: addComment },
]

/** The newest first, unless the call asks for the oldest first. */
function listComments(call: Call): Answer {
  const all = commentsOf(itemIn(call), call)
  const isAscending = ['asc', '1'].includes(call.query.text('order')?.toLowerCase() ?? '')
  const comments = paged(call, isAscending ? all : all.reverse())
  return jsonAnswer({ totalCount: all.length, count: comments.length, comments })
}

function oneComment(call: Call): Answer {
  const item = itemIn(call)
  const id = idParam(call, 'commentId')
  const comment = commentsOf(item, call).find((one) => one.id === id)
  if (comment) return jsonAnswer(comment)
  throw new Refusal(404, 'WorkItemCommentNotFoundException', `Work item ${item.id} has no comment ${id}.`)
}

function addComment(call: Call): Answer {
  const item = itemIn(call)
  const { text } = bodyOf(call)
  if (typeof text !== 'string' || text === '') throw badRequest('Value cannot be null. Parameter name: text')
  const change = changeItem(item, readPatch([{ op: 'add', path: `/fields/${HISTORY}`, value: text }]), call)
  call.world.apply(change)
  return jsonAnswer(commentsOf(change.item, call).at(-1))
}

/** The oldest first. Older and newer versions of the interface name the number differently. */
function commentsOf(item: Item, call: Call) {
  return item.revisions.flatMap((save, at) => {
    const text = save.set[HISTORY]
    if (typeof text !== 'string') return []
    const { revisedBy: by, revisedDate: date } = stamp(save, call)
    const id = at + 1
    return [
      {
        workItemId: item.id,
        id,
        commentId: id,
        version: 1,
        text: withAddress(text, call),
        createdBy: by,
        createdDate: date,
        modifiedBy: by,
        modifiedDate: date,
        isDeleted: false,
        format: 'html',
        url: `${itemUrl(call.base, item.id)}/comments/${id}`,
      },
    ]
  })
}
