import { fieldOf } from '../process/fields'
import type { Item } from '../state/item'
import { directionOf } from '../state/links'
import type { World } from '../state/world'
import { itemLinks, itemUrl, withAddress } from './addresses'
import { fieldValue, shownFields, wireValue } from './values'

export type Expand = 'none' | 'relations' | 'fields' | 'links' | 'all'

export interface ItemView {
  world: World
  base: string
  expand: Expand
  /** Only these fields, by reference name; excludes `expand`. */
  only: readonly string[] | null
}

/** An item as an answer carries it. What it does not have is absent, not null. */
export function itemJson(item: Item, view: ItemView): Record<string, unknown> {
  const { world, base, expand, only } = view
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
    const relations = relationsJson(item, world, base)
    if (relations.length > 0) answer.relations = relations
  }
  if (!only) answer._links = itemLinks(base, world.project, item)
  answer.url = itemUrl(base, item.id)
  return answer
}

function fieldsJson(item: Item, names: readonly string[], { world, base }: ItemView): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const name of names) {
    const value = fieldValue(item, name, world)
    const field = fieldOf(name)
    if (value !== null && field) fields[name] = wireValue(field, value, world, base)
  }
  return fields
}

/** Links to items first, then hyperlinks and attachments; a patch names them by their place in this list. */
export function relationsJson(item: Item, world: World, base: string): Record<string, unknown>[] {
  const links = world.links.of(item.id).map(({ rel, otherId, change }) => ({
    rel,
    url: itemUrl(base, otherId),
    attributes: {
      isLocked: false,
      ...(change.comment ? { comment: change.comment } : {}),
      name: directionOf(rel).name,
    },
  }))
  const resources = item.resources.map(({ rel, url, attributes }) => ({ rel, url: withAddress(url, base), attributes }))
  return [...links, ...resources]
}
