import type { FieldValue, ResourceLink, Revision, StoredItem } from './state'

/** An item at one of its revisions. Immutable. */
export interface Item {
  readonly id: number
  readonly revisions: readonly Revision[]
  readonly fields: Readonly<Record<string, FieldValue>>
  readonly formats: Readonly<Record<string, string>>
  readonly resources: readonly ResourceLink[]
  readonly isDeleted: boolean
}

/** The comment of a save. Unlike other fields it belongs to one revision only. */
export const HISTORY = 'System.History'

/** The item after its first `count` revisions; by default after all. */
export function rebuildItem(stored: StoredItem, count = stored.revisions.length): Item {
  const revisions = count === stored.revisions.length ? stored.revisions : stored.revisions.slice(0, count)
  let item: Item = { id: stored.id, revisions, fields: {}, formats: {}, resources: [], isDeleted: false }
  for (const revision of revisions) item = { ...applyRevision(item, revision), revisions }
  return item
}

export function appendRevision(item: Item, revision: Revision): Item {
  return { ...applyRevision(item, revision), revisions: [...item.revisions, revision] }
}

function applyRevision(item: Item, revision: Revision): Item {
  const fields: Record<string, FieldValue> = { ...item.fields }
  delete fields[HISTORY]
  for (const [name, value] of Object.entries(revision.set)) {
    if (value === null) delete fields[name]
    else fields[name] = value
  }
  return {
    ...item,
    fields,
    formats: revision.formats ? { ...item.formats, ...revision.formats } : item.formats,
    resources: revision.resources ?? item.resources,
    isDeleted: revision.deleted ?? false,
  }
}

export function getFirstRevision(item: Item): Revision {
  return item.revisions[0]!
}

export function getLastRevision(item: Item): Revision {
  return item.revisions[item.revisions.length - 1]!
}

/** Parses `a; b` into unique tags, each in its first spelling. */
export function parseTags(text: string): string[] {
  const tags = new Map<string, string>()
  for (const part of text.split(/[;,]/)) {
    const tag = part.trim()
    if (tag !== '' && !tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag)
  }
  return [...tags.values()]
}

export function mergeTags(existing: string, added: string): string {
  return parseTags(`${existing};${added}`).join('; ')
}
