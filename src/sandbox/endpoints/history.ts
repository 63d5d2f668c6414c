import { type Call, type Endpoint, idParam } from '../http/call'
import { type FieldDefinition, fieldOf } from '../process/fields'
import { foldItem, type Item } from '../state/item'
import { directionOf } from '../state/links'
import type { FieldValue, LinkChange } from '../state/state'
import { itemUrl } from '../wire/addresses'
import { type Answer, jsonAnswer, listAnswer } from '../wire/answer'
import { itemJson } from '../wire/item-json'
import { noSuchItem, Refusal } from '../wire/refusal'
import { fieldValue, identity, shownFields, wireInstant, wireValue } from '../wire/values'
import { viewOf } from './items'

const MOST_ON_A_PAGE = 200

/** How an item came to be what it is. */
export const historyEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: '_apis/wit/workitems/:id/revisions', run: listRevisions },
  { method: 'GET', path: '_apis/wit/workitems/:id/revisions/:rev', run: oneRevision },
  { method: 'GET', path: '_apis/wit/workitems/:id/updates', run: listUpdates },
  { method: 'GET', path: '_apis/wit/workitems/:id/updates/:number', run: oneUpdate },
]

function listRevisions(call: Call): Answer {
  const item = itemIn(call)
  const view = viewOf(call, null, call.query.text('$expand'))
  const revisions = item.revisions.map((_, at) => at + 1)
  return listAnswer(paged(call, revisions).map((rev) => itemJson(foldItem(item, rev), view)))
}

function oneRevision(call: Call): Answer {
  const item = itemIn(call)
  const rev = idParam(call, 'rev')
  if (rev > item.revisions.length) {
    throw new Refusal(
      404,
      'WorkItemIdRevisionNotFoundException',
      `TF401233: Work item ${item.id} has no revision ${rev}.`,
    )
  }
  return jsonAnswer(itemJson(foldItem(item, rev), viewOf(call, null, call.query.text('$expand'))))
}

type Event = { watermark: number } & ({ kind: 'save'; rev: number } | { kind: 'link'; change: LinkChange })

function listUpdates(call: Call): Answer {
  return listAnswer(paged(call, updatesOf(itemIn(call), call)))
}

function oneUpdate(call: Call): Answer {
  const item = itemIn(call)
  const number = idParam(call, 'number')
  const update = updatesOf(item, call)[number - 1]
  if (update) return jsonAnswer(update)
  throw new Refusal(404, 'WorkItemUpdateNotFoundException', `Work item ${item.id} has no update ${number}.`)
}

/** Saves and link changes in the order in which they came; a link change has a number of its own and no revision. */
function updatesOf(item: Item, call: Call): Record<string, unknown>[] {
  const events: Event[] = [
    ...item.revisions.map(({ watermark }, at) => ({ kind: 'save' as const, watermark, rev: at + 1 })),
    ...call.world.linkChanges
      .filter(({ source, target }) => source === item.id || target === item.id)
      .map((change) => ({ kind: 'link' as const, watermark: change.watermark, change })),
  ].sort((a, b) => a.watermark - b.watermark)
  let rev = 0
  return events.map((event, at) => {
    if (event.kind === 'save') rev = event.rev
    return {
      id: at + 1,
      workItemId: item.id,
      rev: Math.max(rev, 1),
      ...(event.kind === 'save' ? saveJson(item, event.rev, call) : linkJson(item.id, event.change, call)),
      url: `${itemUrl(call.base, item.id)}/updates/${at + 1}`,
    }
  })
}

function saveJson(item: Item, rev: number, call: Call): Record<string, unknown> {
  const after = foldItem(item, rev)
  const before = rev > 1 ? foldItem(item, rev - 1) : null
  const names = new Set([...shownFields(after, true), ...(before ? shownFields(before, true) : [])])
  const fields: Record<string, { oldValue?: unknown; newValue?: unknown }> = {}
  for (const name of names) {
    const field = fieldOf(name)
    const [oldValue, newValue] = [before && fieldValue(before, name, call.world), fieldValue(after, name, call.world)]
    if (field && oldValue !== newValue)
      fields[name] = { ...named('oldValue', field, oldValue), ...named('newValue', field, newValue) }
  }
  return { ...stamp(after.revisions[rev - 1]!, call), fields }

  function named(key: string, field: FieldDefinition, value: FieldValue | null): Record<string, unknown> {
    return value === null ? {} : { [key]: wireValue(field, value, call) }
  }
}

function linkJson(itemId: number, change: LinkChange, call: Call): Record<string, unknown> {
  const isSource = change.source === itemId
  const rel =
    change.type === 'System.LinkTypes.Related' ? change.type : `${change.type}-${isSource ? 'Forward' : 'Reverse'}`
  const relation = {
    rel,
    url: itemUrl(call.base, isSource ? change.target : change.source),
    attributes: { isLocked: false, name: directionOf(rel).name },
  }
  return { ...stamp(change, call), relations: { [change.active ? 'added' : 'removed']: [relation] } }
}

export function stamp({ at, by }: { at: string; by: string }, { world, base }: Call): Record<string, unknown> {
  const person = world.people.find(by)
  return { revisedBy: person ? identity(person, base) : { displayName: by }, revisedDate: wireInstant(at) }
}

export function itemIn(call: Call): Item {
  const id = idParam(call)
  const item = call.world.item(id)
  if (!item) throw noSuchItem(id)
  return item
}

export function paged<T>(call: Call, list: readonly T[]): T[] {
  const skip = call.query.integer('$skip') ?? 0
  const top = call.query.integer('$top', 1) ?? MOST_ON_A_PAGE
  return list.slice(skip, skip + Math.min(top, MOST_ON_A_PAGE))
}
