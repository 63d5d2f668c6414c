import type { ClassificationNode } from './state'

export interface NodeWithPath {
  node: ClassificationNode
  /** `Harbor\Yard`: the names from the root, as fields hold it. */
  path: string
  depth: number
}

/** The tree of areas or of iterations, found by path. */
export class ClassificationTree {
  private readonly byPath = new Map<string, NodeWithPath>()
  private readonly byId = new Map<number, NodeWithPath>()

  constructor(readonly root: ClassificationNode) {
    this.place(root, root.name, 1)
  }

  /** In any case, with or without a leading backslash. */
  find(path: string): NodeWithPath | null {
    return this.byPath.get(path.replace(/^\\/, '').toLowerCase()) ?? null
  }

  findById(id: number): NodeWithPath | null {
    return this.byId.get(id) ?? null
  }

  private place(node: ClassificationNode, path: string, depth: number): void {
    const placed = { node, path, depth }
    this.byPath.set(path.toLowerCase(), placed)
    this.byId.set(node.id, placed)
    for (const child of node.children ?? []) this.place(child, `${path}\\${child.name}`, depth + 1)
  }
}

export function isPathUnder(path: string, root: string): boolean {
  const [below, above] = [path.toLowerCase(), root.toLowerCase()]
  return below === above || below.startsWith(`${above}\\`)
}
