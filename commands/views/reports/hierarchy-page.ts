import { formatDateTime } from '../../../src/reports/rules/dates'
import { formatCount, formatNumber, formatPercent, inflect } from '../../../src/reports/rules/wording'
import { getStateMark, type Hierarchy, type Node, type Step, walk } from './hierarchy-nodes'
import { escapeHtml, renderPage } from './page'

/** A table with a row for each item, indented by its level. Screen readers get the level in words. */
export function renderHierarchyPage({ features, unparented, generatedAt }: Hierarchy): string {
  const body = [
    '<h1>Features with their stories and tasks</h1>',
    `<p>As of <time datetime="${escapeHtml(generatedAt)}">${escapeHtml(formatDateTime(generatedAt))}</time>. Points and items include all descendants; removed items are not counted.</p>`,
    features.length === 0
      ? '<p>There are no features in the workspace.</p>'
      : tableOf(`${countOf(features.length)}`, features),
    unparented.length === 0 ? '' : tableOf('Under no feature', unparented),
  ]
  return renderPage('Features with their stories and tasks', body.filter(Boolean).join('\n'), { wide: true })
}

function countOf(features: number): string {
  return `${features} ${inflect(features, 'feature', 'features')}`
}

const HEADS = [
  ['Item', ''],
  ['Type', ''],
  ['State', ''],
  ['Assigned to', ''],
  ['Done', ''],
  ['Points done', ' class="n"'],
  ['Items done', ' class="n"'],
  ['Blockers', ' class="n"'],
] as const

function tableOf(caption: string, roots: readonly Node[]): string {
  const heads = HEADS.map(([name, attributes]) => `<th scope="col"${attributes}>${name}</th>`).join('')
  const trees = roots.map((root) => `<tbody>\n${[...walk(root)].map(rowOf).join('\n')}\n</tbody>`)
  return `<div class="scroll" role="region" aria-label="${escapeHtml(caption)}" tabindex="0">
<table>
<caption>${escapeHtml(caption)}</caption>
<thead><tr>${heads}</tr></thead>
${trees.join('\n')}
</table>
</div>`
}

/** Deeper levels are not indented further. */
const DEEPEST_INDENT = 12

function rowOf({ node, depth }: Step): string {
  const { totals } = node
  const isRemoved = node.stateCategory === 'Removed'
  const level = depth > 0 ? `<span class="hidden">Level ${depth + 1}: </span>` : ''
  const title = escapeHtml(`${node.reference} ${node.title}`)
  const held = node.blockers
    .map(({ evidence }) => `<br><span class="held">Blocked: ${escapeHtml(evidence)}</span>`)
    .join('')
  const cells = [
    `<td>${escapeHtml(node.type)}</td>`,
    `<td${node.stateCategory === 'Completed' ? ' class="done"' : ''}><span aria-hidden="true">${getStateMark(node).sign} </span>${escapeHtml(node.state)}${node.stateCategory === null ? ' <span class="faint">(category unknown)</span>' : ''}</td>`,
    `<td>${node.assignedTo ? escapeHtml(node.assignedTo.displayName) : '<span class="faint">unassigned</span>'}</td>`,
    `<td class="share">${progress(node)}</td>`,
    `<td class="n">${pointsText(node)}</td>`,
    `<td class="n">${totals.doneItems} of ${totals.items}</td>`,
    `<td class="n">${totals.blockers}</td>`,
  ]
  const head = `<th scope="row"${depth === 0 ? ' class="root"' : ''} style="--depth:${Math.min(depth, DEEPEST_INDENT)}">${level}${isRemoved ? `<s>${title}</s> (removed)` : title}${held}</th>`
  return `<tr${isRemoved ? ' class="removed"' : ''}>${head}${cells.join('')}</tr>`
}

function progress({ completion }: Node): string {
  if (completion === null) return ''
  const share = formatPercent(completion)
  return `<span class="bar" aria-hidden="true"><i style="width:${share}"></i></span>${share}`
}

function pointsText({ totals }: Node): string {
  if (totals.points === 0)
    return totals.unestimated > 0
      ? `<span class="faint">${formatCount(totals.unestimated, 'item')} not estimated</span>`
      : ''
  return `${formatNumber(totals.donePoints)} of ${formatNumber(totals.points)}`
}
