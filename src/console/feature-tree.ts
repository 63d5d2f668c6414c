import type { ResultOf } from '../catalog'
import { pluralize } from '../kernel/text/text'
import { type Html, html } from './html'
import { itemName, itemPath } from './pages/item-path'

type TreeNode = ResultOf<'reports.hierarchy'>['features'][number]

interface TreeFilter {
  isBlocked: boolean
  isOpen: boolean
}

/** A page with more items than this shows features alone, and each of them on a page of its own. */
const MAX_ITEMS = 2_000

/** Features with all that is below them. Browsers remember what was expanded. */
export function featureTree(nodes: readonly TreeNode[], filter: TreeFilter): Html {
  const isLong = nodes.length > 1 && countItems(nodes) > MAX_ITEMS
  const shown = nodes.filter((node) => isShown(node, filter))
  if (shown.length === 0 && nodes.length > 0) return html`<p>Nothing passes the filter.</p>`
  return html`<ul class="tree">${shown.map((node) => branch(node, { filter, isLong, isTop: true }))}</ul>`
}

function countItems(nodes: readonly TreeNode[]): number {
  return nodes.reduce((sum, { children }) => sum + 1 + countItems(children), 0)
}

function isShown({ totals, stateCategory }: TreeNode, { isBlocked, isOpen }: TreeFilter): boolean {
  if (isBlocked && totals.blockers === 0) return false
  return !isOpen || stateCategory === null || !['Completed', 'Removed'].includes(stateCategory)
}

interface Branch {
  filter: TreeFilter
  isLong: boolean
  isTop?: boolean
}

function branch(node: TreeNode, { filter, isLong, isTop = false }: Branch): Html {
  const { id, reference, type, title, state, points, completion, totals, blockers } = node
  const children = node.children.filter((child) => isShown(child, filter))
  const line = html`<span class="soft">${type} ${itemName({ reference })}</span> <a href="${itemPath(id)}">${title}</a> <span class="soft">${state}${points === null ? '' : ` · ${pluralize(points, 'point')}`}</span>
${completion === null || node.children.length === 0 ? '' : progress(completion, describeTotals(totals))}
${blockers.map(({ evidence }) => html`<span class="blocker">Blocked: ${evidence}</span>`)}`
  if (children.length === 0) return html`<li>${line}</li>`
  if (isLong) return html`<li>${line} <a href="/console/work?feature=${id}">Show its ${totals.items} items</a></li>`
  return html`<li>${line}<details data-keep="tree-${id}"${isTop ? html` open` : ''}><summary>${children.length === 1 ? '1 child' : `${children.length} children`} of ${itemName({ reference })}</summary>
<ul>${children.map((child) => branch(child, { filter, isLong }))}</ul></details></li>`
}

/** The share is that of the points, where there are any. */
export function describeTotals({ doneItems, items, donePoints, points }: TreeNode['totals']): string {
  const ofItems = `${doneItems} of ${items} items`
  return points === 0 ? ofItems : `${donePoints} of ${points} points, ${ofItems}`
}

/** The bar and its value in words. */
export function progress(share: number, about: string): Html {
  const percent = Math.round(share * 100)
  return html`<span class="progress"><progress max="100" value="${percent}" aria-label="Completed"></progress> ${percent}%</span> <span class="soft">${about}</span>`
}
