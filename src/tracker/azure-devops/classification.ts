import type { Client } from './client'
import { isRefusal } from './fault'
import { inParallel } from './in-parallel'
import { WireNode } from './wire'

/** An area or iteration with its whole path, `Project\\Team\\Sprint 1`. */
export interface ClassificationNode {
  path: string
  attributes: WireNode['attributes']
}

/** A node and the names that lead to it, the root's first. */
interface Placed {
  names: readonly string[]
  node: WireNode
}

/** The tracker allows no deeper tree. It may cut one earlier all the same; then the rest is asked for. */
const deepest = 14

/**
 * All nodes below `rootPath` (`/project/_apis/wit/classificationnodes/areas`), parents before children. Paths are
 * built from names: those that the tracker sends have another form. A branch that may not be read ends where it was cut.
 */
export async function readNodes(client: Client, rootPath: string, signal: AbortSignal): Promise<ClassificationNode[]> {
  const read = (below: readonly string[], signal: AbortSignal): Promise<WireNode> => {
    const path = [rootPath, ...below.map(encodeURIComponent)].join('/')
    return client.read({ method: 'GET', path, query: { $depth: deepest } }, WireNode, signal)
  }
  const readBranch = ({ names, node }: Placed, signal: AbortSignal): Promise<Placed> =>
    read(names.slice(1), signal)
      .catch((error: unknown) => (isRefusal(error) ? node : Promise.reject(error)))
      .then((whole) => ({ names, node: whole }))

  const node = await read([], signal)
  const root: Placed = { names: [node.name], node }
  const branches = new Map<string, WireNode>()
  let cut = below(root, branches).filter(isCut)
  while (cut.length > 0) {
    const found = await inParallel(cut, { limit: client.limits.inFlight, signal }, readBranch)
    for (const branch of found) branches.set(pathOf(branch), branch.node)
    cut = found.flatMap((branch) => below(branch, branches)).filter(isCut)
  }
  return [root, ...below(root, branches)].map((placed) => ({
    path: pathOf(placed),
    attributes: placed.node.attributes,
  }))
}

/** Everything under a node, with the branches that were read later in their places. */
function below({ names, node }: Placed, branches: ReadonlyMap<string, WireNode>): Placed[] {
  return (node.children ?? []).flatMap((child) => {
    const at = { names: [...names, child.name], node: child }
    const placed = { ...at, node: branches.get(pathOf(at)) ?? child }
    return [placed, ...below(placed, branches)]
  })
}

function isCut({ node }: Placed): boolean {
  return node.hasChildren === true && (node.children ?? []).length === 0
}

function pathOf({ names }: Placed): string {
  return names.join('\\')
}
