import type { Nodes } from 'mdast'
import { isInline, type ShownSource } from './shown-source'
import type { Place } from './source'

const PARTS: Readonly<Partial<Record<Nodes['type'], Place['kind']>>> = {
  listItem: 'item',
  tableRow: 'row',
  tableCell: 'cell',
}

/** What a new node is put beside. */
interface Sibling {
  node: Nodes
  /** The nodes from the root to each block of the sibling. */
  paths: readonly (readonly Nodes[])[]
  /** The blocks of the former document that these were. */
  leaves: readonly number[]
  side: 'before' | 'after'
  /** Blocks of the former document that are deleted. */
  gone: ReadonlySet<number>
}

/** The widest place in the source that shows a node and nothing else. Null if there is none that something can be put beside. */
export function findPlaceBeside(shown: ShownSource, { node, paths, leaves, side, gone }: Sibling): Place | null {
  const ordered = side === 'after' ? leaves.toReversed() : leaves
  const run = ordered.map((leaf) => shown.ownedBy(leaf)).find((owned) => owned.end > owned.start)
  if (!run) return null
  const token = shown.tokens[side === 'after' ? run.end - 1 : run.start]!
  const own = new Set(leaves)
  const isOwn = (place: Place) => {
    const inside = shown.tokensIn(place)
    return shown.owners
      .subarray(inside.start, inside.end)
      .every((owner) => owner < 0 || own.has(owner) || gone.has(owner))
  }
  const wanted = PARTS[node.type]
  // Places of the parts of a list in the node are passed, but not of a list that the node is in.
  const levels = paths
    .map((path) => path.slice(path.indexOf(node) + 1).filter(({ type }) => PARTS[type]).length)
    .reduce((most, count) => Math.max(most, count), 0)
  let found: Place | null = null
  let passed = 0
  for (let place = token.place; place && isOwn(place); place = place.parent) {
    const isPart = place.kind === 'item' || place.kind === 'row' || place.kind === 'cell'
    if (wanted === undefined && isPart && passed++ >= levels) break
    if (wanted === undefined || place.kind === wanted) found = place
    if (wanted !== undefined && found) break
  }
  // No block is put between the rows of a table, or into a cell.
  const table = node.type === 'table' ? tableAround(token.place) : null
  if (table && (!found || table.start < found.start || table.end > found.end)) found = table
  if (found && !isInline(found)) return found
  if (wanted !== undefined) return null
  const { start: from, end: to } = found ?? token
  return { start: from, end: to, kind: 'inline', marks: [], parent: token.place }
}

/** The table that a place is in. */
function tableAround(place: Place | null): Place | null {
  let found = place
  while (found && found.kind !== 'row') found = found.parent
  if (found?.parent?.kind !== 'list') return null
  while (found?.parent?.kind === 'list') found = found.parent
  return found
}
