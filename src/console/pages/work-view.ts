import type { ResultOf } from '../../catalog'
import { pluralize } from '../../kernel/text/text'
import type { ConsolePage } from '../console-page'
import { operationForm } from '../forms/operation-form'
import { type Html, html, table } from '../html'
import { itemName, itemPath } from './item-path'

type Item = ResultOf<'items.list'>[number]

const MAX_ROWS = 1_000

/** The items of a saved view, with its columns in its order. */
export const workViewPage: ConsolePage = {
  section: 'work',
  access: 'workspace',
  async render({ run, runList, params }) {
    const view = await run('views.get', { view: params['id']! })
    const input = { filter: String(view.id), ...(view.sort === null ? {} : { sort: view.sort }) }
    const { entries: items, total } = await runList('items.list', input, MAX_ROWS)
    const columns = view.columns as (keyof Item)[]
    return {
      title: view.name,
      body: html`<h1>${view.name}</h1>
<p>${pluralize(total, 'item')}${total > MAX_ROWS ? `, the first ${MAX_ROWS} of them:` : '.'} <a href="/console/work">All work</a></p>
${table(
  view.name,
  columns.map(nameColumn),
  items.map((item) => html`<tr>${columns.map((column) => html`<td>${cell(item, column)}</td>`)}</tr>`),
)}
${operationForm('views.delete', { hidden: { view: view.id, next: '/console/work' }, confirm: `Delete the view ${view.name}?`, word: 'Delete this view', quiet: true })}`,
    }
  },
}

/** `assignedTo` is `Assigned to`. */
function nameColumn(column: string): string {
  if (column === 'id') return 'ID'
  const words = column.replace(/([A-Z])/g, ' $1').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function cell(item: Item, column: keyof Item): Html | string | number {
  const value = item[column]
  if (column === 'id') return html`<a href="${itemPath(item.id)}">${itemName(item)}</a>`
  if (column === 'title') return html`<a href="${itemPath(item.id)}">${value}</a>`
  if (column === 'blocked') return item.blocked.map(({ evidence }) => evidence).join(', ')
  if (value === null || typeof value !== 'object') return value ?? ''
  if (Array.isArray(value)) return value.join(', ')
  return 'displayName' in value ? value.displayName : (value as { name: string }).name
}
