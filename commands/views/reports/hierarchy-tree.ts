import { formatCount, formatNumber, formatPercent } from '../../../src/reports/rules/wording'
import { type Canvas, type Colors, wrapLine } from '../../terminal/layout'
import { renderColoredBar } from './bar'
import { getStateMark, type Hierarchy, listLegend, type Node, type Step, walk } from './hierarchy-nodes'
import { type Piece, wrapPieces } from './wrap-pieces'

/** Progress in a column at the left edge, then the tree, wrapped to the window. */
export function renderHierarchyTree({ features, unparented }: Hierarchy, canvas: Canvas): string {
  const { colors } = canvas
  if (features.length + unparented.length === 0) return 'Nothing is imported yet: studio import <featureId>\n'
  const shown = new Set<ReturnType<typeof getStateMark>>()
  const trees = (roots: readonly Node[]) => roots.map((root) => treeText(root, canvas, shown))
  const withoutFeature = unparented.length > 0 ? [`${colors.strong('Under no feature')}\n`, ...trees(unparented)] : []
  const drawn = [...trees(features), ...withoutFeature].join('\n')
  return `${drawn}\n${colors.faint(legendText(listLegend(shown), canvas.width))}\n`
}

/** Wrapped between entries only: a mark and its meaning stay on one line. */
function legendText(entries: readonly string[], width: number | null): string {
  const line = entries.map((entry) => entry.replaceAll(' ', '\u00a0')).join('  ')
  return (width === null ? line : wrapLine(line, width, '')).replaceAll('\u00a0', ' ')
}

function treeText(root: Node, canvas: Canvas, shown: Set<ReturnType<typeof getStateMark>>): string {
  const gutter = gutterOf(canvas.width)
  let text = ''
  for (const step of walk(root)) {
    shown.add(getStateMark(step.node))
    text += stepLines(step, canvas, gutter)
  }
  return text
}

interface Gutter {
  cells: number
  width: number
}

const ROOMY = 64
const NARROW = 40

/** The width of the progress column. */
function gutterOf(width: number | null): Gutter {
  if (width === null || width >= ROOMY) return { cells: 10, width: 17 }
  return width >= NARROW ? { cells: 0, width: 6 } : { cells: 0, width: 0 }
}

/** Columns that a title always has; the branches of a deep tree are cut instead. */
const MIN_TEXT_WIDTH = 24

function stepLines({ node, depth, lead, below }: Step, { colors, width }: Canvas, gutter: Gutter): string {
  const room = width === null ? null : Math.max(0, width - gutter.width - MIN_TEXT_WIDTH)
  const [own, others] = [fitted(lead, room), fitted(below, room)]
  const left = width === null ? null : Math.max(8, width - gutter.width - own.length - 2)
  const mark = getStateMark(node)
  const open = others + (node.children.length > 0 ? '│ ' : '  ')
  const lines = [
    ...wrapPieces(factsOf(node, depth, colors), left).map((line, i) =>
      i === 0 ? `${mark.color(mark.sign, colors)} ${line}` : line,
    ),
    ...node.blockers.flatMap(({ evidence }) =>
      wrapPieces([{ text: evidence, color: colors.bad }], left === null ? null : left - 2).map(
        (line, i) => `${i === 0 ? colors.bad('↳') : ' '} ${line}`,
      ),
    ),
  ]
  return lines
    .map((line, i) => {
      const edge = i === 0 ? progressEdge(node, gutter, colors) : ' '.repeat(gutter.width)
      return `${`${edge}${colors.faint(i === 0 ? own : open)}${line}`.trimEnd()}\n`
    })
    .join('')
}

function fitted(lead: string, room: number | null): string {
  return room === null || lead.length <= room ? lead : room === 0 ? '' : `…${lead.slice(lead.length - room + 1)}`
}

function progressEdge({ children, completion }: Node, { cells, width }: Gutter, colors: Colors): string {
  if (width === 0) return ''
  if (children.length === 0 || completion === null) return ' '.repeat(width)
  const figure = formatPercent(completion).padStart(4)
  return cells === 0 ? `${figure}  ` : `${renderColoredBar(completion, cells, colors)} ${figure}  `
}

function factsOf(node: Node, depth: number, colors: Colors): Piece[] {
  const isRemoved = node.stateCategory === 'Removed'
  const plain = (text: string) => (isRemoved ? colors.faint(text) : text)
  const facts: (Piece | null)[] = [
    { text: `${node.reference} ${node.title}`, color: depth === 0 ? colors.strong : plain },
    { text: node.state, color: colors.faint },
    node.assignedTo && { text: node.assignedTo.displayName, color: colors.faint },
    pointsPiece(node, colors),
  ]
  return facts.filter((piece) => piece !== null)
}

function pointsPiece({ children, points, totals, stateCategory }: Node, colors: Colors): Piece | null {
  if (children.length > 0 && totals.points > 0) {
    return { text: `${formatNumber(totals.donePoints)} of ${formatCount(totals.points, 'point')}`, color: colors.faint }
  }
  if (totals.unestimated > 0)
    return { text: children.length > 0 ? `${totals.unestimated} not estimated` : 'not estimated', color: colors.warn }
  if (points === null) return null
  return {
    text: `${formatNumber(points)} ${points === 1 ? 'point' : 'points'}${stateCategory === 'Removed' ? ', not counted' : ''}`,
    color: colors.faint,
  }
}
