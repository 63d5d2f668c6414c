import type { Nodes } from 'mdast'
import { isInline, type ShownSource, Undecided } from './shown-source'
import type { Place } from './source'

/** What is only in a list or a table, and what its place is. */
export const PARTS: Readonly<Partial<Record<Nodes['type'], Place['kind']>>> = {
  listItem: 'item',
  tableRow: 'row',
  tableCell: 'cell',
}

/** What a new node is put beside. */
interface Sibling {
  node: Nodes
  /** Its blocks that are not new: the nodes from the root to each, and which block of the former document it was. */
  leaves: readonly { path: readonly Nodes[]; before: number }[]
  side: 'before' | 'after'
  /** Blocks of the former document that are deleted. */
  gone: ReadonlySet<number>
}

/** The widest place in the source that shows a node and nothing else. Null if there is none that something can be put beside. */
export function findPlaceBeside(shown: ShownSource, { node, leaves, side, gone }: Sibling): Place | null {
  const ordered = side === 'after' ? leaves.toReversed() : leaves
  const nearest = ordered.find(({ before }) => shown.ownedBy(before).end > shown.ownedBy(before).start)
  if (!nearest) return null
  const run = shown.ownedBy(nearest.before)
  const token = shown.tokens[side === 'after' ? run.end - 1 : run.start]!
  const own = new Set(leaves.map(({ before }) => before))
  const isOwn = (place: Place) => {
    const inside = shown.tokensIn(place)
    return shown.owners
      .subarray(inside.start, inside.end)
      .every((owner) => owner < 0 || own.has(owner) || gone.has(owner))
  }
  const wanted = PARTS[node.type]
  const levelsOf = (path: readonly Nodes[]) =>
    path.slice(path.indexOf(node) + 1).filter(({ type }) => PARTS[type]).length
  // Places of the parts of a list in the node are passed, but not of a list that the node is in.
  const levels = wanted === undefined ? Math.max(...leaves.map(({ path }) => levelsOf(path))) : levelsOf(nearest.path)
  let found: Place | null = null
  let passed = 0
  for (let place = token.place; place && isOwn(place); place = place.parent) {
    const isPart = place.kind === 'item' || place.kind === 'row' || place.kind === 'cell'
    const isPassed = isPart && passed++ < levels
    if (wanted === undefined && isPart && !isPassed) break
    if (wanted === undefined || (place.kind === wanted && !isPassed)) found = place
    if (wanted !== undefined && found) break
  }
  // No block is put between the rows of a table, or into a cell.
  const table = node.type === 'table' ? tableAround(token.place) : null
  if (table && (!found || table.start < found.start || table.end > found.end)) found = table
  if (found && !isInline(found)) return found
  if (token.place?.isHtml) throw new Undecided()
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
