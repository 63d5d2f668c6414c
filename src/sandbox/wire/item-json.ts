import { getField } from '../process/fields'
import type { Item } from '../state/item'
import { getDirection } from '../state/links'
import { listVisibleFields, readFieldValue, toWireValue } from './field-values'
import { type AddressedModel, buildItemLinks, buildItemUrl, insertAddress } from './urls'

export type Expand = 'none' | 'relations' | 'fields' | 'links' | 'all'

export interface ItemView extends AddressedModel {
  expand: Expand
  /** Only these fields, by reference name; excludes `expand`. */
  only: readonly string[] | null
}

/** An item as an answer carries it. What it does not have is absent, not null. */
export function toItemJson(item: Item, view: ItemView): Record<string, unknown> {
  const { base, expand, only } = view
  const names = only ?? listVisibleFields(item, expand === 'all' || expand === 'fields')
  const answer: Record<string, unknown> = {
    id: item.id,
    rev: item.revisions.length,
    fields: toFieldsJson(item, names, view),
  }
  const marked = Object.entries(item.formats).filter(
    ([name]) => names.includes(name) && item.fields[name] !== undefined,
  )
  if (marked.length > 0) answer.multilineFieldsFormat = Object.fromEntries(marked)
  if (expand === 'all' || expand === 'relations') {
    const relations = toRelationsJson(item, view)
    if (relations.length > 0) answer.relations = relations
  }
  if (!only) answer._links = buildItemLinks(view, item)
  answer.url = buildItemUrl(base, item.id)
  return answer
}

function toFieldsJson(item: Item, names: readonly string[], scene: AddressedModel): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const name of names) {
    const value = readFieldValue(item, name, scene.model)
    const field = getField(name)
    if (value !== null && field) fields[name] = toWireValue(field, value, scene)
  }
  return fields
}

/** Links to items first, then hyperlinks and attachments; a patch names them by their place in this list. */
function toRelationsJson(item: Item, scene: AddressedModel): Record<string, unknown>[] {
  const links = scene.model.links.listEnds(item.id).map(({ rel, otherId, change }) => ({
    rel,
    url: buildItemUrl(scene.base, otherId),
    attributes: {
      isLocked: false,
      ...(change.comment ? { comment: change.comment } : {}),
      name: getDirection(rel).name,
    },
  }))
  const resources = item.resources.map(({ rel, url, attributes }) => ({
    rel,
    url: insertAddress(url, scene),
    attributes,
  }))
  return [...links, ...resources]
}
