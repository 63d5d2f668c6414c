import type { TreeLink } from '../../tracker'

interface TreeMember {
  id: number
  parentId: number | null
  areaPath: string
}

interface TreeNote {
  id: number
  reason: string
}

/** Notes on imported items that are in a cycle, have a second parent or belong to another project, by ID. */
export function findTreeNotes(
  rootId: number,
  links: readonly TreeLink[],
  { members, nameOf }: { members: ReadonlyMap<number, TreeMember>; nameOf(id: number): string },
): TreeNote[] {
  const parents = new Map(links.map(({ childId, parentId }) => [childId, parentId]))
  const home = getProject(members.get(rootId)?.areaPath ?? '')
  const notes: TreeNote[] = []
  for (const { id, parentId, areaPath } of members.values()) {
    if (id === rootId && parentId !== null && members.has(parentId)) {
      notes.push({ id, reason: `It is below itself: its parent ${nameOf(parentId)} is part of its own tree.` })
    }
    if (id !== rootId && parentId !== null && parentId !== parents.get(id)) {
      notes.push({ id, reason: `It is below ${nameOf(parents.get(id)!)}, but its parent is ${nameOf(parentId)}.` })
    }
    if (getProject(areaPath) !== home) notes.push({ id, reason: `It is in another project: ${getProject(areaPath)}.` })
  }
  return notes.sort((a, b) => a.id - b.id)
}

function getProject(areaPath: string): string {
  return areaPath.split('\\')[0]!
}
