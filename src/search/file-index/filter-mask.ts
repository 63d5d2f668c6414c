import { type Filter, fits, passesAll } from '../rules/filters'
import type { EntityType } from '../services/search-index'
import { FILTER_KEYS, toFilterable } from './filter-keys'
import type { LiveSegment } from './live-segment'
import { idKey, PART_SEPARATOR } from './segment-keys'

/** A test of a part's documents by type and filters. Each value that the part holds is judged once, not each document. */
export function createFilterMask(
  { segment }: LiveSegment,
  filters: readonly Filter[],
  type: EntityType | undefined,
): ((document: number) => boolean) | null {
  if (filters.length === 0 && type === undefined) return null
  const ofType = type === undefined ? null : maskOfType(segment, type)
  const fitting = new Map(filters.map((filter) => [filter, maskOfFilter(segment, filter)]))
  return (document) =>
    (ofType === null || ofType[document] === 1) && passesAll(filters, (filter) => fitting.get(filter)![document] === 1)
}

function maskOfType(segment: LiveSegment['segment'], type: EntityType): Uint8Array {
  const mask = new Uint8Array(segment.documents)
  for (const [, list] of segment.postingsWithPrefix(`${FILTER_KEYS.type}${type}${PART_SEPARATOR}`))
    markAll(mask, list.documents)
  return mask
}

function maskOfFilter(segment: LiveSegment['segment'], filter: Filter): Uint8Array {
  const mask = new Uint8Array(segment.documents)
  if (filter.qualifier === 'id') return maskOfId(segment, filter)
  const prefix = FILTER_KEYS[filter.qualifier]
  for (const value of [...segment.keysWithPrefix(prefix)]) {
    if (fits(toFilterable(filter.qualifier, value), filter)) markAll(mask, segment.postings(prefix + value)!.documents)
  }
  return mask
}

/** Looked up, for each document has an ID of its own. */
function maskOfId(segment: LiveSegment['segment'], { value }: Filter): Uint8Array {
  const mask = new Uint8Array(segment.documents)
  const list = value === null ? null : segment.postings(idKey(Number(value.replace('#', ''))))
  if (list) markAll(mask, list.documents)
  return mask
}

function markAll(mask: Uint8Array, documents: Uint16Array): void {
  for (const document of documents) mask[document] = 1
}
