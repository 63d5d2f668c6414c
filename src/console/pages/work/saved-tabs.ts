import type { ResultOf } from '../../../catalog'
import { type Html, html } from '../../html'
import { type ColumnName, isColumn } from './item-cells'

type View = ResultOf<'views.list'>[number]

/** The trees, the list, and everything that was saved, as tabs. */
export function workTabs(
  current: string,
  { views, filters }: { views: readonly View[]; filters: ResultOf<'filters.list'> },
): Html {
  const tabs: [path: string, text: string][] = [
    ['/console/work', 'Tree'],
    ['/console/work?view=list', 'List'],
    ...views.map(({ id, name }): [string, string] => [`/console/work/views/${id}`, name]),
    ...filters.map(({ id, name }): [string, string] => [`/console/work?view=list&filter=${id}`, name]),
    ['/console/work/saved', 'Saved views and filters'],
  ]
  return html`<nav class="links" aria-label="Work">${tabs.map(([path, text]) => html`<a href="${path}"${path === current ? html` aria-current="page"` : ''}>${text}</a>`)}</nav>`
}

/** The columns of lists by the fields of items, of which saved views have the names. */
const columnOfField: Record<string, ColumnName> = {
  id: 'reference',
  type: 'reference',
  reference: 'reference',
  storyPoints: 'points',
  assignedTo: 'assignee',
  iterationPath: 'iteration',
  areaPath: 'area',
  changedAt: 'changed',
}

function columnFor(field: string): ColumnName | null {
  return columnOfField[field] ?? (isColumn(field) ? field : null)
}

export function columnsOfView({ columns }: Pick<View, 'columns'>): ColumnName[] {
  return [...new Set(columns.flatMap((field) => columnFor(field) ?? []))]
}

/** Fields that lists do not show are left out. */
export function sortOfView({ sort }: Pick<View, 'sort'>): string | null {
  const keys = (sort ?? '').split(',').flatMap((text) => {
    const name = columnFor(fieldOfAlias(text.trim().replace(/^-/, '')))
    return name === null ? [] : [`${text.trim().startsWith('-') ? '-' : ''}${name}`]
  })
  return keys.length === 0 ? null : keys.join(',')
}

/** Orders are stored as they were typed. */
function fieldOfAlias(name: string): string {
  const plain = name.toLowerCase().replace(/[\s_-]/g, '')
  return Object.keys(columnOfField).find((field) => field.toLowerCase() === plain) ?? plain
}
