import type { ResultOf } from '../../../catalog'
import { pluralize } from '../../../kernel/text/text'
import type { ConsolePage, PageRequest } from '../../console-page'
import { operationForm } from '../../forms/operation-form'
import { type Html, html, table, time } from '../../html'
import { workTabs } from './saved-tabs'

const HERE = '/console/work/saved'

type Criteria = ResultOf<'filters.working'>['criteria']

/** Saved views and filters, and the working filter, which lists and the command line use by its name. */
export const savedPage: ConsolePage = {
  section: 'work',
  access: 'workspace',
  async render({ run, service, query }) {
    const [views, filters, working] = await Promise.all([
      run('views.list', {}),
      run('filters.list', {}),
      run('filters.working', {}),
    ])
    const names = criteriaNames(service)
    const choices = [...filters, ...views].map(({ name }) => [name, name] as const)
    const saved = { name: 'saved', empty: 'none', choices }
    return {
      title: 'Saved views and filters',
      styles: ['work.css'],
      body: html`<h1>Saved views and filters</h1>
${workTabs(HERE, { views, filters })}
<p>A view is a filter with columns and an order. Both are tabs of Work, and names that lists take.</p>
${savedTable(
  'Views',
  views.map((view) => viewRow(view)),
  'No view is saved yet.',
)}
${savedTable(
  'Filters',
  filters.map((filter) => filterRow(filter)),
  'No filter is saved yet.',
)}
<section class="card wide"><h2>Save a view</h2>${operationForm('views.save', { key: 'view-', fields: ['name', ...names, { name: 'columns', attributes: { placeholder: 'id,state,assignee,title' } }, 'sort'], values: { criteria: query, columns: query['columns'], sort: query['sort'] }, inColumns: true, inRow: true, word: 'Save the view' })}</section>
<section class="card wide"><h2>Save a filter</h2>${operationForm('filters.save', { key: 'filter-', hidden: { next: HERE }, fields: ['name', ...names], inColumns: true, inRow: true, word: 'Save the filter' })}</section>
<section class="card wide"><h2>Working filter</h2>
<p>${working.updatedAt === null ? 'There is none.' : html`${describe(working.criteria)}: <a href="/console/work?view=list&filter=working">${pluralize(working.itemCount, 'item')}</a>, since ${time(working.updatedAt)}.`} Lists use it by the name “working”.</p>
${operationForm('filters.set-working', { key: 'working-', hidden: { next: HERE }, fields: [...names, saved], inColumns: true, inRow: true, word: 'Set the working filter' })}
${working.updatedAt === null ? '' : operationForm('filters.clear-working', { hidden: { next: HERE }, word: 'Clear the working filter', quiet: true })}</section>`,
    }
  },
}

function criteriaNames({ isOffered }: PageRequest['service']): string[] {
  const area = isOffered('property:areaPath') ? ['area'] : []
  return ['type', 'state', 'assignedTo', 'iteration', ...area, 'tag', 'parent', 'search'].map(
    (name) => `criteria.${name}`,
  )
}

function savedTable(caption: string, rows: readonly Html[], none: string): Html {
  return html`<h2>${caption}</h2>${rows.length === 0 ? html`<p class="soft">${none}</p>` : table(caption, ['Name', 'Shows', 'Saved', html`<th scope="col"><span class="hidden">Actions</span></th>`], rows)}`
}

function viewRow({ id, name, criteria, createdAt }: ResultOf<'views.list'>[number]): Html {
  return html`<tr><th scope="row"><a href="/console/work/views/${id}">${name}</a></th><td>${describe(criteria)}</td><td>${time(createdAt)}</td>
<td>${operationForm('views.delete', { hidden: { view: id, next: HERE }, confirm: `Delete the view ${name}?`, word: 'Delete', about: `Delete the view ${name}`, quiet: true })}</td></tr>`
}

function filterRow({ id, name, criteria, createdAt }: ResultOf<'filters.list'>[number]): Html {
  return html`<tr><th scope="row"><a href="/console/work?view=list&filter=${id}">${name}</a></th><td>${describe(criteria)}</td><td>${time(createdAt)}</td>
<td>${operationForm('filters.delete', { hidden: { id, next: HERE }, confirm: `Delete the filter ${name}?`, word: 'Delete', about: `Delete the filter ${name}`, quiet: true })}</td></tr>`
}

function describe(criteria: Criteria): string {
  const given = Object.entries(criteria).filter(([, value]) => value !== null)
  return given.length === 0 ? 'all items' : given.map(([name, value]) => `${name}: ${value}`).join('; ')
}
