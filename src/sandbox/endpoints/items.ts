import { bodyOf, type Call, type Endpoint, idParam } from '../http/call'
import { findField } from '../process/fields'
import type { Item } from '../state/item'
import { type Answer, jsonAnswer, listAnswer } from '../wire/answer'
import { type Expand, type ItemView, itemJson } from '../wire/item-json'
import { badRequest, noSuchField, noSuchItem, Refusal } from '../wire/refusal'

const MOST_IDS = 200
/** The number of the policy, which some clients send. */
const OMIT = '2'

/** Reading items: one, some, many. */
export const itemEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '_apis/wit/workitems', run: listItems },
  { method: 'GET', path: '_apis/wit/workitems/:id', run: getItem },
  { method: 'POST', path: '_apis/wit/workitemsbatch', run: batchItems },
]

function getItem(call: Call): Answer {
  const id = idParam(call)
  const item = call.world.item(id)
  if (!item) throw noSuchItem(id)
  return jsonAnswer(itemJson(item, viewOf(call, call.query.list('fields'), call.query.text('$expand'))))
}

function listItems(call: Call): Answer {
  const ids = call.query.list('ids')?.map(Number)
  if (!ids) throw badRequest('Value cannot be null. Parameter name: ids')
  const view = viewOf(call, call.query.list('fields'), call.query.text('$expand'))
  return many(call, ids, view, call.query.text('errorPolicy'))
}

function batchItems(call: Call): Answer {
  const { ids, fields, $expand, errorPolicy } = bodyOf(call)
  if (!Array.isArray(ids)) throw badRequest('Value cannot be null. Parameter name: ids')
  const only = Array.isArray(fields) ? fields.map(String) : null
  return many(call, ids, viewOf(call, only, textOrNull($expand)), textOrNull(errorPolicy))
}

/** Each id once, in the order asked. What cannot be read is left out by `omit`, and else fails the call. */
function many(call: Call, ids: readonly unknown[], view: ItemView, errorPolicy: string | null): Answer {
  if (ids.length > MOST_IDS) {
    throw badRequest(`VS403474: You requested ${ids.length} work items which exceeds the limit of ${MOST_IDS}.`)
  }
  const wanted = [...new Set(ids)].map((id) => {
    if (typeof id === 'number' && Number.isSafeInteger(id)) return id
    throw badRequest(`The value '${String(id)}' is not valid for ids.`)
  })
  const omits = omitsErrors(errorPolicy)
  const found: Item[] = []
  for (const id of wanted) {
    const item = call.world.item(id)
    if (item) found.push(item)
    else if (!omits) throw noSuchItem(id)
  }
  return listAnswer(found.map((item) => itemJson(item, view)))
}

export function omitsErrors(errorPolicy: string | null): boolean {
  return errorPolicy?.toLowerCase() === 'omit' || errorPolicy === OMIT
}

/** In the order of their numbers: some clients send those. */
const expands: readonly string[] = ['none', 'relations', 'fields', 'links', 'all']

/** What of an item the call wants to see. `fields` and `$expand` exclude each other. */
export function viewOf(
  call: Call,
  fields: readonly string[] | null,
  expand: string | null,
  otherwise: Expand = 'none',
): ItemView {
  const chosen = expand === null ? otherwise : (expands[Number(expand)] ?? expand.toLowerCase())
  if (!expands.includes(chosen)) throw badRequest(`The value '${expand}' is not valid for $expand.`)
  if (fields && expand !== null && chosen !== 'none') {
    throw new Refusal(
      400,
      'ConflictingParametersException',
      'The expand parameter can not be used with the fields parameter.',
    )
  }
  const only = fields?.map((name) => {
    const field = findField(name)
    if (!field) throw noSuchField(name)
    return field.referenceName
  })
  return { world: call.world, base: call.base, web: call.web, expand: chosen as Expand, only: only ?? null }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}
