import { printableLine } from '../../layout'
import { type Cell, renderCsv } from '../csv'
import { type Hierarchy, type Node, type Step, walk } from './walk'

interface Row extends Step {
  root: Node
  /** `feature`, or `unparented` for what belongs to none. */
  group: string
}

const columns: readonly (readonly [string, (row: Row) => Cell])[] = [
  ['id', ({ node }) => node.id],
  ['parentId', ({ node }) => node.parentId],
  ['group', ({ group }) => group],
  ['rootId', ({ root }) => root.id],
  ['depth', ({ depth }) => depth],
  ['type', ({ node }) => node.type],
  ['title', ({ node }) => node.title],
  ['state', ({ node }) => node.state],
  ['stateCategory', ({ node }) => node.stateCategory],
  ['assignedTo', ({ node }) => node.assignedTo?.displayName ?? null],
  ['points', ({ node }) => node.points],
  ['totalPoints', ({ node }) => node.totals.points],
  ['donePoints', ({ node }) => node.totals.donePoints],
  ['totalItems', ({ node }) => node.totals.items],
  ['doneItems', ({ node }) => node.totals.doneItems],
  ['unestimated', ({ node }) => node.totals.unestimated],
  ['blockers', ({ node }) => node.totals.blockers],
  ['completion', ({ node }) => node.completion],
  ['blockedBy', ({ node }) => node.blockers.map(({ evidence }) => evidence).join('; ') || null],
]

/** A line an item, with a line of names. */
export function renderHierarchyCsv({ features, unparented }: Hierarchy): string {
  const lines: Cell[][] = [columns.map(([name]) => name)]
  for (const [group, roots] of [['feature', features] as const, ['unparented', unparented] as const])
    for (const root of roots)
      for (const step of walk(root))
        lines.push(columns.map(([, cellOf]) => onOneLine(cellOf({ ...step, root, group }))))
  return renderCsv(lines)
}

function onOneLine(cell: Cell): Cell {
  return typeof cell === 'string' ? printableLine(cell) : cell
}
