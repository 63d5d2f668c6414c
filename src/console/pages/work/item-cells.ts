import { badge, itemState } from '../../components/badge'
import { describeTotals, progress } from '../../components/progress'
import { type Html, html, time } from '../../html'
import { itemName, itemPath } from '../item-path'
import { type ItemNode, lastPart } from './item-rows'

export interface Column {
  title: string
  isNumber?: true
  cell(node: ItemNode): Html | string | number
  /** What rows are sorted by. */
  key(node: ItemNode): string | number | null
}

/** What rows of items may show beside their titles. */
export const columns = {
  reference: {
    title: 'Item',
    cell: (node) => html`<span class="nowrap soft">${node.type} ${itemName(node)}</span>`,
    key: ({ id }) => id,
  },
  state: {
    title: 'State',
    cell: ({ state, stateCategory }) => itemState(state, stateCategory),
    key: ({ state }) => state,
  },
  points: { title: 'Points', isNumber: true, cell: ({ points }) => points ?? '', key: ({ points }) => points },
  progress: { title: 'Progress', cell: drawProgress, key: ({ completion }) => completion },
  assignee: {
    title: 'Owner',
    cell: ({ assignedTo }) => assignedTo?.displayName ?? '',
    key: ({ assignedTo }) => assignedTo?.displayName ?? null,
  },
  blocked: {
    title: 'Blocked',
    cell: ({ blockers }) =>
      html`${blockers.slice(0, 1).map(({ evidence }) => badge('bad', 'blocked', { title: evidence }))}${blockers.length > 1 ? html` <span class="soft">+${blockers.length - 1}</span>` : ''}`,
    key: ({ blockers }) => -blockers.length,
  },
  priority: {
    title: 'Priority',
    isNumber: true,
    cell: ({ priority }) => priority ?? '',
    key: ({ priority }) => priority,
  },
  iteration: {
    title: 'Iteration',
    cell: ({ iterationPath }) => html`<span title="${iterationPath}">${lastPart(iterationPath)}</span>`,
    key: ({ iterationPath }) => iterationPath,
  },
  area: {
    title: 'Area',
    cell: ({ areaPath }) => html`<span title="${areaPath}">${lastPart(areaPath)}</span>`,
    key: ({ areaPath }) => areaPath,
  },
  tags: { title: 'Tags', cell: ({ tags }) => tags.join(', '), key: ({ tags }) => tags.join(', ') || null },
  changed: { title: 'Changed', cell: ({ changedAt }) => time(changedAt), key: ({ changedAt }) => changedAt },
} as const satisfies Record<string, Column>

export type ColumnName = keyof typeof columns

export function isColumn(name: string): name is ColumnName {
  return Object.hasOwn(columns, name)
}

export function columnOf(name: ColumnName): Column {
  return columns[name]
}

function drawProgress({ completion, totals, children }: ItemNode): Html | string {
  if (completion === null || children.length === 0) return ''
  return html`<span title="${describeTotals(totals)}">${progress(completion, '')}</span>`
}

export function cells(node: ItemNode, shown: ReadonlyMap<string, Column>): Html[] {
  return [...shown].map(([name, { isNumber, cell }]) => {
    return html`<td${isNumber ? html` class="number"` : ''} data-column="${name}">${cell(node)}</td>`
  })
}

/** The box that chooses an item for a change. It belongs to the form `chosen`. */
export function chooseBox({ id, title }: Pick<ItemNode, 'id' | 'title'>): Html {
  return pickBox({ name: 'id', value: id, title, form: 'chosen' })
}

/** A cell with a box that chooses what the row is about. */
export function pickBox({
  name,
  value,
  title,
  form,
}: {
  name: string
  value: number
  title: string
  form?: string
}): Html {
  return html`<td class="box"><label><input type="checkbox" name="${name}" value="${value}"${form === undefined ? '' : html` form="${form}"`}><span class="hidden">Choose ${title}</span></label></td>`
}

/** The heading above such cells, where a script puts a box that chooses all. */
export function pickHeading(): Html {
  return html`<th scope="col" class="box"><span class="hidden">Choose</span></th>`
}

export function titleLink({ id, title }: Pick<ItemNode, 'id' | 'title'>): Html {
  return html`<a class="title" href="${itemPath(id)}" title="${title}">${title === '' ? 'No title' : title}</a>`
}
