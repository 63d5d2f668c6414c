import { equalsIgnoringCase } from '../../kernel/text/text'
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

const [hierarchy, dependency, related] = [
  'System.LinkTypes.Hierarchy',
  'System.LinkTypes.Dependency',
  'System.LinkTypes.Related',
] as const

const DIRECTIONS: Record<string, Direction> = {
  [`${hierarchy}-Forward`]: { type: hierarchy, holderIsSource: true, name: 'Child' },
  [`${hierarchy}-Reverse`]: { type: hierarchy, holderIsSource: false, name: 'Parent' },
  [`${dependency}-Forward`]: { type: dependency, holderIsSource: true, name: 'Successor' },
  [`${dependency}-Reverse`]: { type: dependency, holderIsSource: false, name: 'Predecessor' },
  [related]: { type: related, holderIsSource: true, name: 'Related' },
}

/** The canonical name of a relation between items, or null for any other relation. */
export function findRelationName(rel: string): string | null {
  return Object.keys(DIRECTIONS).find((name) => equalsIgnoringCase(name, rel)) ?? null
}

export function getDirection(rel: string): Direction {
  return DIRECTIONS[rel]!
}

/** The active links of each item, computed from the log. */
export class LinkGraph {
  private readonly endsOf = new Map<number, LinkEnd[]>()

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
  }

  /** In the order in which they were made. */
  listEnds(id: number): readonly LinkEnd[] {
    return this.endsOf.get(id) ?? []
  }

  findParent(id: number): number | null {
    return this.listEnds(id).find(({ rel }) => rel === `${hierarchy}-Reverse`)?.otherId ?? null
  }

  listChildren(id: number): number[] {
    return this.listEnds(id).flatMap(({ rel, otherId }) => (rel === `${hierarchy}-Forward` ? otherId : []))
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

export function listRelationNames(type: LinkType): [forward: string, reverse: string] {
  return type === 'System.LinkTypes.Related' ? [type, type] : [`${type}-Forward`, `${type}-Reverse`]
}
