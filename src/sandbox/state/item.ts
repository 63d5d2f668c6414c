import type { FieldValue, ResourceLink, Revision, StoredItem } from './state'

/** An item at one of its revisions, folded. Never changed in place. */
export interface Item {
  readonly id: number
  readonly revisions: readonly Revision[]
  readonly fields: Readonly<Record<string, FieldValue>>
  readonly formats: Readonly<Record<string, string>>
  readonly resources: readonly ResourceLink[]
  readonly isDeleted: boolean
}

/** The comment of a save: it belongs to that save alone. */
export const HISTORY = 'System.History'

/** The item as it was after its first `count` revisions; by default as it is. */
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
