import { createHash } from 'node:crypto'
import type { ItemLink, LinkKind } from '../tracker'
import type { WireRelation } from './wire-schemas'

/** The names of the relations between items, from the perspective of the item that lists them. */
const RELATIONS: Record<LinkKind, string> = {
  parent: 'System.LinkTypes.Hierarchy-Reverse',
  child: 'System.LinkTypes.Hierarchy-Forward',
  predecessor: 'System.LinkTypes.Dependency-Reverse',
  successor: 'System.LinkTypes.Dependency-Forward',
  related: 'System.LinkTypes.Related',
}

/** The link as a relation of a patch. `base` is the address of the tracker. */
export function toRelation({ kind, id }: ItemLink, base: string): WireRelation {
  return { rel: RELATIONS[kind], url: `${base}/_apis/wit/workItems/${id}` }
}

/** The position of the link in the list of relations; -1 if it is not there. */
export function findRelationIndex(relations: readonly WireRelation[], { kind, id }: ItemLink): number {
  return relations.findIndex((relation) => isKind(relation, kind) && parseItemId(relation.url) === id)
}

/** The IDs of items to which there is a link, each once. */
export function listLinkedIds(relations: readonly WireRelation[], kind: LinkKind): number[] {
  const ids = relations.flatMap((relation) => (isKind(relation, kind) ? (parseItemId(relation.url) ?? []) : []))
  return [...new Set(ids)]
}

/** The same in ascending order. */
export function listSortedIds(relations: readonly WireRelation[], kind: LinkKind): number[] {
  return listLinkedIds(relations, kind).sort((a, b) => a - b)
}

function isKind({ rel }: WireRelation, kind: LinkKind): boolean {
  return rel.toLowerCase() === RELATIONS[kind].toLowerCase()
}

/**
 * A digest of the kind and target of every link in any order: work items, hyperlinks, attachments. Comments, dates and locks of a link do not
 * count, and neither does the address of the tracker (`base`).
 */
export function fingerprintRelations(relations: readonly WireRelation[], base: string): string {
  const lines = relations
    .map((relation) => JSON.stringify([relation.rel.toLowerCase(), normalizeTarget(relation, base)]))
    .sort()
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)
}

/** Parses the ID at the end of `…/_apis/wit/workItems/297`. */
function parseItemId(url: string): number | null {
  const [path = ''] = url.split(/[?#]/, 1)
  const [, digits] = /\/workitems\/(\d+)\/?$/i.exec(path) ?? []
  return digits === undefined ? null : Number(digits)
}

function normalizeTarget({ rel, url }: WireRelation, base: string): string {
  const id = rel === 'Hyperlink' ? null : parseItemId(url)
  if (id !== null) return `#${id}`
  const target = url.startsWith(base) ? url.slice(base.length) : url
  // The query contains the file name when the file is attached, but not when the item is read.
  return rel === 'AttachedFile' ? target.replace(/\?.*/s, '') : target
}
