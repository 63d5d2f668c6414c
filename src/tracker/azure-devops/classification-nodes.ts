import { mapConcurrently } from '../services/map-concurrently'
import type { RetryingClient } from '../services/retrying-client'
import { isRefusal } from '../services/tracker-error'
import { WireNode } from './wire-schemas'

/** An area or iteration with its whole path, `Project\\Team\\Sprint 1`. */
export interface ClassificationNode {
  path: string
  attributes: WireNode['attributes']
}

/** A node and the names that lead to it, the root's first. */
interface NodeWithPath {
  names: readonly string[]
  node: WireNode
}

/** The tracker allows no deeper tree. It may cut one earlier all the same; then the rest is asked for. */
const MAX_DEPTH = 14

/**
 * All nodes below `rootPath` (`/project/_apis/wit/classificationnodes/areas`), parents before children. Paths are
 * built from names: those that the tracker sends have another form. A branch that may not be read ends where it was cut.
 */
export async function readClassificationNodes(
  client: RetryingClient,
  rootPath: string,
  signal: AbortSignal,
): Promise<ClassificationNode[]> {
  const read = (listDescendants: readonly string[], signal: AbortSignal): Promise<WireNode> => {
    const path = [rootPath, ...listDescendants.map(encodeURIComponent)].join('/')
    return client.read({ method: 'GET', path, query: { $depth: MAX_DEPTH } }, WireNode, signal)
  }
  const readBranch = ({ names, node }: NodeWithPath, signal: AbortSignal): Promise<NodeWithPath> =>
    read(names.slice(1), signal)
      .catch((error: unknown) => (isRefusal(error) ? node : Promise.reject(error)))
      .then((whole) => ({ names, node: whole }))

  const node = await read([], signal)
  const root: NodeWithPath = { names: [node.name], node }
  const branches = new Map<string, WireNode>()
  let cut = below(root, branches).filter(isTruncated)
  while (cut.length > 0) {
    const found = await mapConcurrently(cut, { limit: client.limits.maxConcurrent, signal }, readBranch)
    for (const branch of found) branches.set(joinPath(branch), branch.node)
    cut = found.flatMap((branch) => below(branch, branches)).filter(isTruncated)
  }
  return [root, ...below(root, branches)].map((placed) => ({
    path: joinPath(placed),
    attributes: placed.node.attributes,
  }))
}

/** Everything under a node, with the branches that were read later in their places. */
function below({ names, node }: NodeWithPath, branches: ReadonlyMap<string, WireNode>): NodeWithPath[] {
  return (node.children ?? []).flatMap((child) => {
    const at = { names: [...names, child.name], node: child }
    const placed = { ...at, node: branches.get(joinPath(at)) ?? child }
    return [placed, ...below(placed, branches)]
  })
}

function isTruncated({ node }: NodeWithPath): boolean {
  return node.hasChildren === true && (node.children ?? []).length === 0
}

function joinPath({ names }: NodeWithPath): string {
  return names.join('\\')
}
