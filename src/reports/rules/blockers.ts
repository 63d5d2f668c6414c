import { isRemoved, type ReportItem } from './item'

/** One signal that an item is held up. */
export interface Blocker {
  /** The item that is held up. */
  id: number
  signal: 'tag' | 'field' | 'predecessor'
  /** The open predecessor that it waits for; null for a tag or a field. */
  itemId: number | null
  evidence: string
}

export function blockersOn(item: ReportItem): Blocker[] {
  if (isRemoved(item)) return []
  return item.blocked.map(({ by, itemId, evidence }) => ({ id: item.id, signal: by, itemId, evidence }))
}
