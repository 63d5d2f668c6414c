import { createHash } from 'node:crypto'
import type { WireRelation } from './wire-schemas'

const PARENT = 'system.linktypes.hierarchy-reverse'
const CHILD = 'system.linktypes.hierarchy-forward'
const PREDECESSOR = 'system.linktypes.dependency-reverse'

export function findParentId(relations: readonly WireRelation[]): number | null {
  return listTargetIds(relations, PARENT)[0] ?? null
}

export function listChildIds(relations: readonly WireRelation[]): number[] {
  return listTargetIds(relations, CHILD)
}

/** Ids of items that must be done first, in ascending order. */
export function listPredecessorIds(relations: readonly WireRelation[]): number[] {
  return listTargetIds(relations, PREDECESSOR).sort((a, b) => a - b)
}

/**
 * A digest over kind and target of every link, in no matter which order: work items, hyperlinks, attachments.
 * Comments, dates and locks of a link do not count, nor under which address the tracker itself was reached (`base`).
 */
export function fingerprintRelations(relations: readonly WireRelation[], base: string): string {
  const lines = relations
    .map((relation) => JSON.stringify([relation.rel.toLowerCase(), normalizeTarget(relation, base)]))
    .sort()
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)
}

function listTargetIds(relations: readonly WireRelation[], rel: string): number[] {
  const ids = relations
    .filter((relation) => relation.rel.toLowerCase() === rel)
    .map((relation) => parseItemId(relation.url))
  return [...new Set(ids.filter((id) => id !== null))]
}

/** The id at the end of `…/_apis/wit/workItems/297`. */
function parseItemId(url: string): number | null {
  const [path = ''] = url.split(/[?#]/, 1)
  const [, digits] = /\/workitems\/(\d+)\/?$/i.exec(path) ?? []
  return digits === undefined ? null : Number(digits)
}

function normalizeTarget({ rel, url }: WireRelation, base: string): string {
  const id = rel === 'Hyperlink' ? null : parseItemId(url)
  if (id !== null) return `#${id}`
  const target = url.startsWith(base) ? url.slice(base.length) : url
  // The file's name is told as a query when the file is attached, and is not there when it is read.
  return rel === 'AttachedFile' ? target.replace(/\?.*/s, '') : target
}
