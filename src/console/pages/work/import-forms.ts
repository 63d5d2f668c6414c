import { pluralize } from '../../../kernel/text/text'
import { badge } from '../../components/badge'
import { empty } from '../../components/page-head'
import type { PageRequest } from '../../console-page'
import { hiddenFields } from '../../forms/hidden-fields'
import { operationForm } from '../../forms/operation-form'
import { inputs } from '../../forms/schema-inputs'
import { type Html, html, table, time } from '../../html'
import { itemName, itemPath } from '../item-path'
import { pickBox, pickHeading } from './item-cells'
import { queryOf } from './matching-items'

const HERE = '/console/work/import'

/** The ways to read items into the workspace: chosen from the tracker, found in it, by ID, or from a file. */
export async function importForms(request: PageRequest): Promise<Html> {
  if (!(await request.may('features.import-many')))
    return empty('No work items are cached yet. Someone with the role editor can import them.')
  const trackers = (await request.run('items.sync-status', {})).map(({ tracker }) => tracker)
  const query = queryOf(request)
  const find = query.get('find')
  return html`<div class="cards import">
<section class="card" aria-label="Features"><h2>Features of the tracker</h2>
${await pickFeatures(request, trackers, find === 'features')}</section>
<section class="card" aria-label="Search"><h2>Search the tracker</h2>
${await pickItems(request, trackers, find === 'items')}</section>
<section class="card" aria-label="By ID"><h2>A feature by its ID</h2>
${operationForm('features.import', { hidden: { next: '/console/work' }, fields: [{ name: 'featureId', attributes: { placeholder: '101, ABC-7, gh:owner/repository#12' } }], word: 'Import with all below it' })}</section>
<section class="card" aria-label="From a file"><h2>From a file</h2>
<p>A CSV export of the tracker, or JSON.</p>
${fileForm()}<div class="answer"></div></section></div>`
}

function trackerInput(trackers: readonly string[]) {
  const choices = trackers.map((name) => [name, name] as const)
  return trackers.length < 2 ? [] : [{ name: 'tracker', choices, empty: 'the default one' }]
}

/** The script of the page loads the list. Without one, the button does. */
async function pickFeatures(request: PageRequest, trackers: readonly string[], isOpen: boolean): Promise<Html> {
  const { title = '', tracker = '' } = request.query
  const form = html`<form class="bar" method="get" action="${HERE}" role="search" aria-label="Features of the tracker"><input type="hidden" name="find" value="features">
${inputs('features.list', [{ name: 'title', label: 'Title', attributes: { type: 'search' } }, ...trackerInput(trackers)], { values: { title, tracker }, inRow: true })}<button type="submit" class="quiet">${isOpen ? 'Search' : 'Show features'}</button></form>`
  if (!isOpen) return html`${form}<div id="features" data-load="${HERE}?find=features"></div>`
  const { features, total } = await request.run('features.list', {
    ...(title === '' ? {} : { title }),
    ...(tracker === '' ? {} : { tracker }),
    count: 200,
  })
  const rows = features.map(
    ({ id, reference, type, title: name, state, changedAt, cached }) =>
      html`<tr>${pickBox({ name: 'featureIds[]', value: id, title: name })}<th scope="row">${cached ? html`<a href="${itemPath(id)}">${name}</a>` : name}</th><td class="soft nowrap">${type} ${itemName({ reference })}</td><td>${state}</td><td>${time(changedAt)}</td><td class="outcome">${cached ? badge('good', 'imported') : ''}</td></tr>`,
  )
  return html`${form}<div id="features">${
    features.length === 0
      ? html`<p role="status">The tracker has no such feature.</p>`
      : html`<p role="status">${pluralize(total, 'feature')}${total > features.length ? `, the last changed ${features.length}:` : ':'}</p>
${pickForm('features.import-many', 'featureIds[]', table('Features', [pickHeading(), 'Title', 'Item', 'State', 'Changed', 'In the workspace'], rows))}`
  }</div>`
}

async function pickItems(request: PageRequest, trackers: readonly string[], isOpen: boolean): Promise<Html> {
  const { query = '', itemType = '', tracker = '' } = request.query
  const form = html`<form class="bar" method="get" action="${HERE}" role="search" aria-label="Items of the tracker"><input type="hidden" name="find" value="items">
${inputs('items.search', [{ name: 'query', label: 'Words or an ID', attributes: { type: 'search' } }, { name: 'itemType', label: 'Type' }, ...trackerInput(trackers)], { values: { query, itemType, tracker }, inRow: true })}<button type="submit" class="quiet">Search</button></form>`
  if (!isOpen || query.trim() === '') return form
  const found = await request.run('items.search', {
    query,
    ...(itemType === '' ? {} : { itemType }),
    ...(tracker === '' ? {} : { tracker }),
    limit: 100,
  })
  const rows = found.results.map(
    ({ id, reference, type, title, state, localRev }) =>
      html`<tr>${pickBox({ name: 'ids[]', value: id, title })}<th scope="row">${localRev > 0 ? html`<a href="${itemPath(id)}">${title}</a>` : title}</th><td class="soft nowrap">${type} ${itemName({ reference })}</td><td>${state}</td><td class="outcome">${localRev > 0 ? badge('good', 'imported') : ''}</td></tr>`,
  )
  return html`${form}<div id="found"><p role="status">${found.total === 0 ? 'The tracker has no such item.' : `${pluralize(found.total, 'item')}${found.total > rows.length ? `, the first ${rows.length}:` : ':'}`}${found.partial ? ' The tracker reported incomplete results.' : ''}</p>
${rows.length === 0 ? '' : pickForm('items.import-single', 'ids[]', table('Items', [pickHeading(), 'Title', 'Item', 'State', 'In the workspace'], rows))}</div>`
}

/** A script imports one after the other, and shows how far it is. */
function pickForm(operation: 'features.import-many' | 'items.import-single', each: string, rows: Html): Html {
  return html`<form method="post" action="/console/run/${operation}" data-each="${each}">${hiddenFields({ next: '/console/work' })}${rows}
<div class="bar sticky"><button type="submit">Import the chosen ones</button> <output></output></div><p class="error" role="alert"></p></form><div class="answer"></div>`
}

function fileForm(): Html {
  const text = {
    name: 'text',
    label: 'Rows',
    rows: 5,
    attributes: { placeholder: 'ID,Work Item Type,Title,State', required: true },
  }
  return html`<form method="post" action="/console/run/items.import-file"><input type="hidden" name="next" value="/console/work">
<label>File <input type="file" data-into="text" data-named="name" accept=".csv,.json,text/csv,application/json"></label>
${inputs('items.import-file', [text])}
<details><summary>Dates and columns</summary>${inputs('items.import-file', ['name', 'asOf', { name: 'columns[lines]', attributes: { placeholder: 'Titel=Title' } }, { name: 'dates', empty: 'as they are' }, 'timeZone', 'atomic'])}</details>
<p class="error" role="alert"></p><button type="submit">Import</button> <button type="submit" class="quiet" name="dryRun" value="true">Only check the file</button></form>`
}
