import type { ResultOf } from '../../../catalog'

/** An item of the tree, with its children. */
export type ItemNode = ResultOf<'reports.hierarchy'>['features'][number]

/** Every item of the trees, each before its children. */
export function flatten(nodes: readonly ItemNode[]): ItemNode[] {
  const all: ItemNode[] = []
  const add = (some: readonly ItemNode[]) => {
    for (const node of some) {
      all.push(node)
      add(node.children)
    }
  }
  add(nodes)
  return all
}

export function isOpen({ stateCategory }: Pick<ItemNode, 'stateCategory'>): boolean {
  return stateCategory !== 'Completed' && stateCategory !== 'Removed'
}

/** The last part of the path of an area or an iteration. */
export function lastPart(path: string): string {
  return path.split('\\').at(-1)!
}
