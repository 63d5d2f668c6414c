import { type ChangeContext, changeItem, makeItem } from '../change/item-change'
import { readPatch } from '../change/patch'
import { removeItem } from '../change/remove'
import { type Call, type Endpoint, idParam, parseBody } from '../http/call'
import { findType } from '../process/types'
import { firstRevision, lastRevision } from '../state/item'
import type { Change } from '../state/world'
import { itemUrl } from '../wire/addresses'
import { type Answer, jsonAnswer } from '../wire/answer'
import { itemJson } from '../wire/item-json'
import { noSuchItem, Refusal } from '../wire/refusal'
import { wireInstant } from '../wire/values'
import { viewOf } from './items'

/** Making, changing and removing an item. */
export const itemChangeEndpoints: readonly Endpoint[] = [
  { method: 'POST', path: '_apis/wit/workitems/:$type', changes: true, run: createItem },
  { method: 'PATCH', path: '_apis/wit/workitems/:$type', changes: true, run: createItem },
  { method: 'PATCH', path: '_apis/wit/workitems/:id', changes: true, run: patchItem },
  { method: 'DELETE', path: '_apis/wit/workitems/:id', changes: true, run: deleteItem },
]

function createItem(call: Call): Answer {
  const type = findType(call.params.type!)
  if (!type) {
    throw new Refusal(
      404,
      'WorkItemTypeNotFoundException',
      `VS402323: Work item type ${call.params.type} does not exist in project ${call.world.project.name} or you do not have permission to access it.`,
    )
  }
  return applied(call, makeItem(type, patchOf(call), contextOf(call)))
}

function patchItem(call: Call): Answer {
  const id = idParam(call)
  const item = call.world.item(id)
  if (!item) throw noSuchItem(id)
  return applied(call, changeItem(item, patchOf(call), contextOf(call)))
}

/** A dry run goes through every rule, and answers the item as it stays. */
function applied(call: Call, change: Change): Answer {
  const { world } = call
  const stays = world.item(change.item.id)
  const isDryRun = call.query.flag('validateOnly')
  if (!isDryRun) world.apply(change)
  const shown = isDryRun ? (stays ?? change.item) : change.item
  return jsonAnswer(itemJson(shown, viewOf(call, null, call.query.text('$expand'), 'relations')))
}

/** Tools that move work items from elsewhere set who changed them and when, against the rules of the process. */
function contextOf(call: Call): ChangeContext {
  return { ...call, bypassRules: call.query.flag('bypassRules') }
}

function patchOf(call: Call) {
  if (!/^application\/json-patch\+json\b/i.test(call.contentType)) {
    throw new Refusal(
      415,
      'VssRequestContentTypeNotSupportedException',
      `The request indicated a Content-Type of "${call.contentType}" for method type "PATCH" which is not supported. Valid content types for this method are: application/json-patch+json.`,
    )
  }
  return readPatch(parseBody(call))
}

function deleteItem(call: Call): Answer {
  const { world, base } = call
  const id = idParam(call)
  const item = world.item(id)
  if (!item) throw noSuchItem(id)
  const { item: removed, links } = removeItem(item, call)
  world.apply({ item: removed, links })
  const { at, by } = lastRevision(removed)
  return jsonAnswer({
    id,
    type: firstRevision(item).set['System.WorkItemType'],
    name: item.fields['System.Title'],
    project: world.project.name,
    deletedDate: wireInstant(at),
    deletedBy: by,
    code: 200,
    url: `${base}/_apis/wit/recyclebin/${id}`,
    resource: { id, rev: removed.revisions.length, url: itemUrl(base, id) },
  })
}
