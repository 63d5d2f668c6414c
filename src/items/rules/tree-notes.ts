import type { TreeLink } from '../../tracker'

/** What of an item of a tree tells where it stands. */
export interface TreeMember {
  id: number
  parentId: number | null
  areaPath: string
}

export interface TreeNote {
  id: number
  reason: string
}

/**
 * What a person should know about items that were imported all the same: a tree that goes round in a circle, a child with two
 * parents, a child of another project. By id.
 */
export function findTreeNotes(
  rootId: number,
  links: readonly TreeLink[],
  members: ReadonlyMap<number, TreeMember>,
): TreeNote[] {
  const parents = new Map(links.map(({ childId, parentId }) => [childId, parentId]))
  const home = getProject(members.get(rootId)?.areaPath ?? '')
  const notes: TreeNote[] = []
  for (const { id, parentId, areaPath } of members.values()) {
    if (id === rootId && parentId !== null && members.has(parentId)) {
      notes.push({ id, reason: `It lies below itself: #${parentId} of its tree is its parent.` })
    }
    if (id !== rootId && parentId !== null && parentId !== parents.get(id)) {
      notes.push({ id, reason: `It lies below #${parents.get(id)}, and names #${parentId} as its parent.` })
    }
    if (getProject(areaPath) !== home) notes.push({ id, reason: `It is in another project: ${getProject(areaPath)}.` })
  }
  return notes.sort((a, b) => a.id - b.id)
}

function getProject(areaPath: string): string {
  return areaPath.split('\\')[0]!
}
