import type { ItemLink, LinkChanges, LinkKind, TrackerItem } from '../../tracker'
import type { FieldChange } from '../schemas'

/** The links of an item that can be changed on the item itself. Its children are not among them, because each of them has its parent. */
export type LinkedItem = Pick<TrackerItem, 'id' | 'parentId' | 'predecessorIds' | 'successorIds' | 'relatedIds'>

/** What is requested for the links of an item. */
export interface LinkUpdates {
  /** Replaces the parent that the item has; null removes it. */
  parentId?: number | null
  add?: readonly ItemLink[]
  remove?: readonly ItemLink[]
}

/** Items that get the same links. */
export interface LinkGroup {
  items: readonly TrackerItem[]
  links: LinkUpdates
}

export const LINK_NAMES: Record<LinkKind, string> = {
  parent: 'Parent',
  child: 'Child',
  predecessor: 'Predecessor',
  successor: 'Successor',
  related: 'Related',
}

/** The links to add and to remove, so that the item has its links as requested. */
export function planLinks(item: Partial<LinkedItem>, { parentId, add = [], remove = [] }: LinkUpdates): LinkChanges {
  const current = listLinks(item)
  const isCurrent = (link: ItemLink) => current.some(({ kind, id }) => kind === link.kind && id === link.id)
  const parents = current.filter(({ kind, id }) => kind === 'parent' && parentId !== undefined && id !== parentId)
  const newParents: ItemLink[] = parentId == null ? [] : [{ kind: 'parent', id: parentId }]
  return {
    add: [...newParents, ...add].filter((link) => !isCurrent(link)),
    remove: [...parents, ...remove.filter(isCurrent)],
  }
}

function listLinks({ parentId, predecessorIds = [], successorIds = [], relatedIds = [] }: Partial<LinkedItem>) {
  const toLinks = (kind: LinkKind, ids: readonly number[]) => ids.map((id): ItemLink => ({ kind, id }))
  return [
    ...toLinks('parent', parentId == null ? [] : [parentId]),
    ...toLinks('predecessor', predecessorIds),
    ...toLinks('successor', successorIds),
    ...toLinks('related', relatedIds),
  ]
}

/** The changes of links as people read them. A new parent and the one that it replaces are one change. */
export function listLinkChanges(item: Partial<LinkedItem>, updates: LinkUpdates): FieldChange[] {
  const { add, remove } = planLinks(item, updates)
  const toChange = (kind: LinkKind, from: number | null, to: number | null): FieldChange[] =>
    from === null && to === null ? [] : [{ field: LINK_NAMES[kind], from, to, storedAs: null }]
  const findParent = (links: readonly ItemLink[]) => links.find(({ kind }) => kind === 'parent')?.id ?? null
  return [
    ...toChange('parent', findParent(remove), findParent(add)),
    ...remove.flatMap(({ kind, id }) => (kind === 'parent' ? [] : toChange(kind, id, null))),
    ...add.flatMap(({ kind, id }) => (kind === 'parent' ? [] : toChange(kind, null, id))),
  ]
}

/** The change of the parent by another user, if the item should get another parent than that. */
export function findParentConflict(
  before: number | null | undefined,
  now: Partial<LinkedItem>,
  { parentId }: LinkUpdates,
): FieldChange[] {
  const current = now.parentId ?? null
  if (parentId === undefined || before === undefined || before === current || current === parentId) return []
  return [{ field: LINK_NAMES.parent, from: before, to: current, storedAs: null }]
}
