import type { FieldValue, ResourceLink, Revision, StoredItem } from './state'

/** An item at one of its revisions, folded. Never changed in place. */
export interface Item {
  readonly id: number
  readonly revisions: readonly Revision[]
  readonly fields: Readonly<Record<string, FieldValue>>
  readonly formats: Readonly<Record<string, string>>
  readonly resources: readonly ResourceLink[]
  readonly deleted: boolean
}

/** The comment of a save: it belongs to that save alone. */
export const HISTORY = 'System.History'

/** The item as it was after its first `count` revisions; by default as it is. */
export function foldItem(stored: StoredItem, count = stored.revisions.length): Item {
  const revisions = count === stored.revisions.length ? stored.revisions : stored.revisions.slice(0, count)
  let item: Item = { id: stored.id, revisions, fields: {}, formats: {}, resources: [], deleted: false }
  for (const revision of revisions) item = { ...fold(item, revision), revisions }
  return item
}

export function withRevision(item: Item, revision: Revision): Item {
  return { ...fold(item, revision), revisions: [...item.revisions, revision] }
}

function fold(item: Item, revision: Revision): Item {
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
    deleted: revision.deleted ?? false,
  }
}

export function firstRevision(item: Item): Revision {
  return item.revisions[0]!
}

export function lastRevision(item: Item): Revision {
  return item.revisions[item.revisions.length - 1]!
}
