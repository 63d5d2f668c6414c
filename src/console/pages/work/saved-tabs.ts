import type { ResultOf } from '../../../catalog'
import { type Html, html } from '../../html'
import { plainName } from './custom-columns'
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

type ItemField = Exclude<keyof ResultOf<'items.list'>[number], 'customFields'>

/** The columns of lists by the fields of items, of which saved views have the names; null for fields that lists do not show. */
const columnOfField: Record<ItemField, ColumnName | null> = {
  id: 'reference',
  type: 'reference',
  reference: 'reference',
  state: 'state',
  storyPoints: 'points',
  assignedTo: 'assignee',
  blocked: 'blocked',
  priority: 'priority',
  iterationPath: 'iteration',
  areaPath: 'area',
  tags: 'tags',
  changedAt: 'changed',
  title: null,
  stateCategory: null,
  parentId: null,
  description: null,
  descriptionFormat: null,
  acceptanceCriteria: null,
  acceptanceCriteriaFormat: null,
  rev: null,
  localRev: null,
  remoteRev: null,
  fetchedAt: null,
  fromFile: null,
  tracker: null,
  url: null,
}

/** All other names are fields of the tracker. */
function columnFor(field: string): string | null {
  return Object.hasOwn(columnOfField, field) ? columnOfField[field as ItemField] : field
}

export function columnsOfView({ columns }: Pick<View, 'columns'>): string[] {
  return [...new Set(columns.flatMap((field) => columnFor(field) ?? []))]
}

/** Fields that lists do not show are left out. */
export function sortOfView({ sort }: Pick<View, 'sort'>): string | null {
  const keys = (sort ?? '').split(',').flatMap((text) => {
    const name = columnOfSort(text.trim().replace(/^-/, ''))
    return name === null ? [] : [`${text.trim().startsWith('-') ? '-' : ''}${name}`]
  })
  return keys.length === 0 ? null : keys.join(',')
}

/** Further names of fields in an order. */
const aliases: Record<string, ColumnName | null> = { sprint: 'iteration', parent: null, category: null }

/** Orders are stored as they were typed. */
function columnOfSort(name: string): string | null {
  const plain = plainName(name)
  const field = Object.keys(columnOfField).find((one) => one.toLowerCase() === plain)
  if (field !== undefined) return columnFor(field)
  if (Object.hasOwn(aliases, plain)) return aliases[plain]!
  return isColumn(plain) ? plain : name
}
