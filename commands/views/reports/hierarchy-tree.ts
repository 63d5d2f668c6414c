import { formatCount, formatNumber, formatPercent } from '../../../src/reports/rules/wording'
import type { Canvas } from '../../layout'
import type { Paint } from '../../paint'
import { paintedBar } from './bar'
import { foldPieces, type Piece } from './fold-pieces'
import { legendOf, markOf } from './state-mark'
import { type Hierarchy, type Node, type Step, walk } from './walk'

/** Progress at the left edge, in one column for all levels; the tree beside it, folded to the window. */
export function hierarchyTree({ features, unparented }: Hierarchy, canvas: Canvas): string {
  const { paint } = canvas
  if (features.length + unparented.length === 0) return 'Nothing is imported yet: studio import <featureId>\n'
  const shown = new Set<ReturnType<typeof markOf>>()
  const trees = (roots: readonly Node[]) => roots.map((root) => treeText(root, canvas, shown))
  const apart = unparented.length > 0 ? [`${paint.strong('Under no feature')}\n`, ...trees(unparented)] : []
  const drawn = [...trees(features), ...apart].join('\n')
  const legend = legendOf(shown).map((text) => ({ text, paint: paint.faint }))
  const closing = foldPieces(legend, canvas.width).join('\n')
  return `${drawn}\n${closing}\n`
}

function treeText(root: Node, canvas: Canvas, shown: Set<ReturnType<typeof markOf>>): string {
  const gutter = gutterOf(canvas.width)
  let text = ''
  for (const step of walk(root)) {
    shown.add(markOf(step.node))
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

/** How much of the left edge shows progress. */
function gutterOf(width: number | null): Gutter {
  if (width === null || width >= ROOMY) return { cells: 10, width: 17 }
  return width >= NARROW ? { cells: 0, width: 6 } : { cells: 0, width: 0 }
}

/** The least room for a title; what a deep tree would take of it, its branches lose. */
const LEAST_TEXT = 24

function stepLines({ node, depth, lead, below }: Step, { paint, width }: Canvas, gutter: Gutter): string {
  const room = width === null ? null : Math.max(0, width - gutter.width - LEAST_TEXT)
  const [own, others] = [fitted(lead, room), fitted(below, room)]
  const left = width === null ? null : Math.max(8, width - gutter.width - own.length - 2)
  const mark = markOf(node)
  const open = others + (node.children.length > 0 ? '│ ' : '  ')
  const lines = [
    ...foldPieces(factsOf(node, depth, paint), left).map((line, i) =>
      i === 0 ? `${mark.paint(mark.sign, paint)} ${line}` : line,
    ),
    ...node.blockers.flatMap(({ evidence }) =>
      foldPieces([{ text: evidence, paint: paint.bad }], left === null ? null : left - 2).map(
        (line, i) => `${i === 0 ? paint.bad('↳') : ' '} ${line}`,
      ),
    ),
  ]
  return lines
    .map((line, i) => {
      const edge = i === 0 ? progressEdge(node, gutter, paint) : ' '.repeat(gutter.width)
      return `${`${edge}${paint.faint(i === 0 ? own : open)}${line}`.trimEnd()}\n`
    })
    .join('')
}

function fitted(lead: string, room: number | null): string {
  return room === null || lead.length <= room ? lead : room === 0 ? '' : `…${lead.slice(lead.length - room + 1)}`
}

function progressEdge({ children, completion }: Node, { cells, width }: Gutter, paint: Paint): string {
  if (width === 0) return ''
  if (children.length === 0 || completion === null) return ' '.repeat(width)
  const figure = formatPercent(completion).padStart(4)
  return cells === 0 ? `${figure}  ` : `${paintedBar(completion, cells, paint)} ${figure}  `
}

function factsOf(node: Node, depth: number, paint: Paint): Piece[] {
  const isRemoved = node.stateCategory === 'Removed'
  const plain = (text: string) => (isRemoved ? paint.faint(text) : text)
  const facts: (Piece | null)[] = [
    { text: `#${node.id} ${node.title}`, paint: depth === 0 ? paint.strong : plain },
    { text: node.state, paint: paint.faint },
    node.assignedTo && { text: node.assignedTo.displayName, paint: paint.faint },
    pointsPiece(node, paint),
  ]
  return facts.filter((piece) => piece !== null)
}

function pointsPiece({ children, points, totals, stateCategory }: Node, paint: Paint): Piece | null {
  if (children.length > 0 && totals.points > 0) {
    return { text: `${formatNumber(totals.donePoints)} of ${formatCount(totals.points, 'point')}`, paint: paint.faint }
  }
  if (totals.unestimated > 0)
    return { text: children.length > 0 ? `${totals.unestimated} not estimated` : 'not estimated', paint: paint.warn }
  if (points === null) return null
  return {
    text: `${formatNumber(points)} ${points === 1 ? 'point' : 'points'}${stateCategory === 'Removed' ? ', not counted' : ''}`,
    paint: paint.faint,
  }
}
