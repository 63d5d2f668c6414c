import { toArgument } from '../../kernel/text/item-reference'

export function itemPath(id: number): string {
  return `/console/work/items/${id}`
}

/** How a page names an item: `101`, `gh:owner/repository#12`. */
export function itemName({ reference }: { reference: string }): string {
  return toArgument(reference)
}

/** The page of what a search has found. */
export function hitPath(type: string, id: number): string {
  if (type === 'devops') return itemPath(id)
  return type === 'draft' ? `/console/drafts/${id}` : `/console/drafts?folder=${id}`
}
