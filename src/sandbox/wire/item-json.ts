import { fieldOf } from '../process/fields'
import type { Item } from '../state/item'
import { directionOf } from '../state/links'
import { itemLinks, itemUrl, type Scene, withAddress } from './addresses'
import { fieldValue, shownFields, wireValue } from './values'

export type Expand = 'none' | 'relations' | 'fields' | 'links' | 'all'

export interface ItemView extends Scene {
  expand: Expand
  /** Only these fields, by reference name; excludes `expand`. */
  only: readonly string[] | null
}

/** An item as an answer carries it. What it does not have is absent, not null. */
export function itemJson(item: Item, view: ItemView): Record<string, unknown> {
  const { base, expand, only } = view
  const names = only ?? shownFields(item, expand === 'all' || expand === 'fields')
  const answer: Record<string, unknown> = {
    id: item.id,
    rev: item.revisions.length,
    fields: fieldsJson(item, names, view),
  }
  const marked = Object.entries(item.formats).filter(
    ([name]) => names.includes(name) && item.fields[name] !== undefined,
  )
  if (marked.length > 0) answer.multilineFieldsFormat = Object.fromEntries(marked)
  if (expand === 'all' || expand === 'relations') {
    const relations = relationsJson(item, view)
    if (relations.length > 0) answer.relations = relations
  }
  if (!only) answer._links = itemLinks(view, item)
  answer.url = itemUrl(base, item.id)
  return answer
}

function fieldsJson(item: Item, names: readonly string[], scene: Scene): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const name of names) {
    const value = fieldValue(item, name, scene.world)
    const field = fieldOf(name)
    if (value !== null && field) fields[name] = wireValue(field, value, scene)
  }
  return fields
}

/** Links to items first, then hyperlinks and attachments; a patch names them by their place in this list. */
function relationsJson(item: Item, scene: Scene): Record<string, unknown>[] {
  const links = scene.world.links.of(item.id).map(({ rel, otherId, change }) => ({
    rel,
    url: itemUrl(scene.base, otherId),
    attributes: {
      isLocked: false,
      ...(change.comment ? { comment: change.comment } : {}),
      name: directionOf(rel).name,
    },
  }))
  const resources = item.resources.map(({ rel, url, attributes }) => ({
    rel,
    url: withAddress(url, scene),
    attributes,
  }))
  return [...links, ...resources]
}
