import type { LinkChange, LinkType } from './state'

/** One end of a link, from the perspective of its item. */
export interface LinkEnd {
  rel: string
  otherId: number
  change: LinkChange
}

interface Direction {
  type: LinkType
  /** Whether the holder of this relation is the link's source. */
  holderIsSource: boolean
  name: string
}

const DIRECTIONS: Record<string, Direction> = {
  'System.LinkTypes.Hierarchy-Forward': { type: 'System.LinkTypes.Hierarchy', holderIsSource: true, name: 'Child' },
  'System.LinkTypes.Hierarchy-Reverse': { type: 'System.LinkTypes.Hierarchy', holderIsSource: false, name: 'Parent' },
  'System.LinkTypes.Dependency-Forward': {
    type: 'System.LinkTypes.Dependency',
    holderIsSource: true,
    name: 'Successor',
  },
  'System.LinkTypes.Dependency-Reverse': {
    type: 'System.LinkTypes.Dependency',
    holderIsSource: false,
    name: 'Predecessor',
  },
  'System.LinkTypes.Related': { type: 'System.LinkTypes.Related', holderIsSource: true, name: 'Related' },
}

const RELATION_NAMES = new Map(Object.keys(DIRECTIONS).map((rel) => [rel.toLowerCase(), rel]))

/** The canonical name of a relation between items, or null for any other relation. */
export function findRelationName(rel: string): string | null {
  return RELATION_NAMES.get(rel.toLowerCase()) ?? null
}

export function getDirection(rel: string): Direction {
  return DIRECTIONS[rel]!
}

/** The active links of each item, computed from the log. */
export class LinkGraph {
  private readonly endsOf = new Map<number, LinkEnd[]>()
  private readonly parents = new Map<number, number>()

  constructor(log: readonly LinkChange[]) {
    for (const change of log) this.apply(change)
  }

  apply(change: LinkChange): void {
    const [forward, reverse] = listRelationNames(change.type)
    if (change.active) {
      this.add(change.source, { rel: forward, otherId: change.target, change })
      this.add(change.target, { rel: reverse, otherId: change.source, change })
    } else {
      this.remove(change.source, forward, change.target)
      this.remove(change.target, reverse, change.source)
    }
    if (change.type !== 'System.LinkTypes.Hierarchy') return
    if (change.active) this.parents.set(change.target, change.source)
    else this.parents.delete(change.target)
  }

  /** In the order in which they were made. */
  listEnds(id: number): readonly LinkEnd[] {
    return this.endsOf.get(id) ?? []
  }

  findParent(id: number): number | null {
    return this.parents.get(id) ?? null
  }

  listChildren(id: number): number[] {
    return this.listEnds(id)
      .filter((end) => end.rel === 'System.LinkTypes.Hierarchy-Forward')
      .map((end) => end.otherId)
  }

  has(id: number, rel: string, otherId: number): boolean {
    return this.listEnds(id).some((end) => end.rel === rel && end.otherId === otherId)
  }

  private add(id: number, end: LinkEnd): void {
    const ends = this.endsOf.get(id)
    if (ends) ends.push(end)
    else this.endsOf.set(id, [end])
  }

  private remove(id: number, rel: string, otherId: number): void {
    const rest = this.listEnds(id).filter((end) => end.rel !== rel || end.otherId !== otherId)
    this.endsOf.set(id, rest)
  }
}

function listRelationNames(type: LinkType): [forward: string, reverse: string] {
  return type === 'System.LinkTypes.Related' ? [type, type] : [`${type}-Forward`, `${type}-Reverse`]
}
