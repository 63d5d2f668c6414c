import { formatNumber, formatPercent } from '../../../src/reports/rules/wording'
import { type Canvas, table } from '../../layout'
import { getStateMark } from './state-mark'
import { type Hierarchy, walk } from './walk'

/** A line an item, indented by its depth. */
export function renderHierarchyTable({ features, unparented }: Hierarchy, canvas: Canvas): string {
  const steps = [...features, ...unparented].flatMap((root) => [...walk(root)])
  if (steps.length === 0) return 'Nothing is imported yet: studio import <featureId>\n'
  return table(
    steps,
    [
      { title: 'ID', text: ({ node }) => `#${node.id}`, align: 'right' },
      // Dots, for a table takes spaces at the edge of a cell away.
      { title: 'TITLE', text: ({ node, depth }) => `${'· '.repeat(depth)}${node.title}`, shrink: 'fold' },
      { title: 'TYPE', text: ({ node }) => node.type },
      { title: 'STATE', text: ({ node }) => `${getStateMark(node).sign} ${node.state}` },
      { title: 'ASSIGNED TO', text: ({ node }) => node.assignedTo?.displayName ?? '-' },
      {
        title: 'DONE',
        text: ({ node }) => (node.completion === null ? '-' : formatPercent(node.completion)),
        align: 'right',
      },
      {
        title: 'POINTS',
        text: ({ node: { totals } }) => `${formatNumber(totals.donePoints)}/${formatNumber(totals.points)}`,
        align: 'right',
      },
      { title: 'BLOCKERS', text: ({ node }) => String(node.totals.blockers), align: 'right' },
    ],
    canvas,
  )
}
