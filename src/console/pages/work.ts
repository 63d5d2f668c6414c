import type { ResultOf } from '../../catalog'
import { describeItemsOf } from '../../kernel/text/item-reference'
import { pluralize } from '../../kernel/text/text'
import type { ConsolePage } from '../console-page'
import { featureTree } from '../feature-tree'
import { operationForm } from '../forms/operation-form'
import { inputs } from '../forms/schema-inputs'
import { type Html, html, time } from '../html'
import { itemPath } from './item-path'

/** Work: the search over everything cached, and the features with their progress. */
export const workPage: ConsolePage = {
  section: 'work',
  access: 'workspace',
  async render({ run, query, service }) {
    const { q = '', type = '', feature, blocked, open } = query
    const searchForm = html`<form class="bar" method="get" action="/console/work" role="search">
${inputs('search.fast', [searchBox, { name: 'type', label: 'In', empty: 'everything', texts: kinds }], { values: { q, type }, inRow: true })}
<button type="submit">Search</button></form>`
    if (q.trim() !== '') {
      const found = await run('search.fast', { q, limit: 100, ...(isKind(type) ? { type } : {}) })
      return { title: `Search: ${q}`, body: html`<h1>Work</h1>${searchForm}${results(found)}` }
    }
    const [{ features, unparented }, views, sync] = await Promise.all([
      run('reports.hierarchy', feature ? { featureId: Number(feature) } : {}),
      run('views.list', {}),
      run('items.sync-status', {}),
    ])
    const filter = { isBlocked: blocked !== undefined, isOpen: open !== undefined }
    return {
      title: 'Work',
      body: html`<h1>Work</h1>${searchForm}
${views.length === 0 ? '' : html`<p>Saved views: ${views.map(({ id, name }) => html`<a href="/console/work/views/${id}">${name}</a> `)}</p>`}
<h2>Features</h2>
${syncNotes(sync)}
${features.length + unparented.length === 0 ? importForm() : toolbar(filter, feature)}
${featureTree([...features, ...unparented], filter)}
${viewForm(service.isOffered('property:areaPath'))}`,
    }
  },
}

/** How old the items are, and why if the last sync failed. */
export function syncNotes(sync: ResultOf<'items.sync-status'>): Html[] {
  return sync.map(({ tracker, checkedAt, failure }) => {
    const items = describeItemsOf(tracker)
    const age =
      checkedAt === null
        ? 'were not compared with the tracker yet'
        : html`were compared with the tracker at ${time(checkedAt)}`
    if (failure === null) return html`<p class="soft">${items} ${age}.</p>`
    return html`<p class="notice" role="status">${items} ${age}. The last sync failed: ${failure.text}</p>`
  })
}

/** A key leads to it. */
export const searchBox = {
  name: 'q',
  label: 'Search',
  attributes: {
    type: 'search',
    size: 40,
    placeholder: 'words, state:open, assignee:@me, tag:…',
    'aria-keyshortcuts': '/',
  },
}

const kinds = { devops: 'work items', draft: 'drafts', folder: 'folders' }

function isKind(type: string): type is 'devops' | 'draft' | 'folder' {
  return Object.hasOwn(kinds, type)
}

function results({ total, results: hits, hints = [] }: ResultOf<'search.fast'>): Html {
  return html`<p role="status">${total === 0 ? 'Nothing was found' : pluralize(total, 'result')}${total > hits.length ? `, the first ${hits.length} of them:` : '.'}</p>
${hints.map((hint) => html`<p>${hint}</p>`)}
<ol class="results">${hits.map(
    ({ type, id, reference, title, state, snippet, highlights }) =>
      html`<li><a href="${hitPath(type, id)}">${title}</a> <span class="soft">${type === 'devops' ? (reference ?? `#${id}`) : type}${state === null ? '' : ` · ${state}`}</span>
<br>${highlight(snippet, highlights)}</li>`,
  )}</ol>`
}

/** The page of a result. */
export function hitPath(type: string, id: number): string {
  if (type === 'devops') return itemPath(id)
  return type === 'draft' ? `/console/drafts/${id}` : `/console/drafts?folder=${id}`
}

/** The snippet with its hits marked. */
function highlight(snippet: string, places: readonly number[][]): Html[] {
  const parts: Html[] = []
  let at = 0
  for (const [start = 0, end = 0] of places) {
    parts.push(html`${snippet.slice(at, start)}<mark>${snippet.slice(start, end)}</mark>`)
    at = end
  }
  return [...parts, html`${snippet.slice(at)}`]
}

/** Empty criteria let every item pass. */
function viewForm(hasAreas: boolean): Html {
  const criteria = ['type', 'state', 'assignedTo', 'iteration', ...(hasAreas ? ['area'] : []), 'tag', 'search']
  const columns = { name: 'columns', attributes: { placeholder: 'id,state,assignee,title' } }
  const fields = ['name', ...criteria.map((name) => `criteria.${name}`), columns, 'sort']
  return html`<details><summary>Save a view</summary>
${operationForm('views.save', { fields, inColumns: true, word: 'Save the view' })}</details>`
}

function importForm(): Html {
  const feature = { name: 'featureId', attributes: { placeholder: '101, ABC-7, gh:owner/repository#12' } }
  return html`<p>Nothing is cached yet.</p>
${operationForm('features.import', { className: 'card', head: html`<h3>Import a feature</h3>`, hidden: { next: '/console/work' }, fields: [feature], word: 'Import' })}`
}

function toolbar({ isBlocked, isOpen }: { isBlocked: boolean; isOpen: boolean }, feature: string | undefined): Html {
  return html`<div class="bar"><form class="bar" method="get" action="/console/work" data-auto>
${feature === undefined ? '' : html`<input type="hidden" name="feature" value="${feature}">`}
<label class="choice"><input type="checkbox" name="blocked"${isBlocked ? html` checked` : ''}> only what is blocked</label>
<label class="choice"><input type="checkbox" name="open"${isOpen ? html` checked` : ''}> only what is open</label>
<noscript><button type="submit">Show</button></noscript></form>
${operationForm('items.sync', { hidden: { next: '/console/work' }, word: 'Read changes from the tracker', quiet: true })}</div>`
}
