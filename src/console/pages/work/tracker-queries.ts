import { pluralize } from '../../../kernel/text/text'
import { itemState } from '../../components/badge'
import { empty, pageHead } from '../../components/page-head'
import type { ConsolePage, PageRequest } from '../../console-page'
import { operationForm } from '../../forms/operation-form'
import { inputs } from '../../forms/schema-inputs'
import { type Html, html, table } from '../../html'
import { itemName, itemPath } from '../item-path'

const SHOWN = 200

/** The tracker's own queries: run one, look at what it finds, and import that. */
export const queriesPage: ConsolePage = {
  section: 'work',
  access: 'workspace',
  async render(request) {
    const { run, query } = request
    const tracker = query['tracker'] || undefined
    const choice = query['text'] ? { text: query['text'] } : query['query'] ? { query: query['query'] } : null
    const { language, queries } = await run('queries.list', { tracker })
    const rows = queries.map(
      ({ id, name, url }) =>
        html`<li><a href="/console/work/queries?${new URLSearchParams({ query: id, ...(tracker && { tracker }) })}">${name}</a>${url && /^https?:/.test(url) ? html` <a class="soft" href="${url}" rel="noreferrer">in the tracker</a>` : ''}</li>`,
    )
    return {
      title: 'Queries of the tracker',
      styles: ['work.css'],
      body: html`${pageHead({ title: 'Queries of the tracker' })}
${choice === null ? '' : found(request, choice)}
<section aria-label="Saved queries"><h2>Saved queries</h2>${rows.length === 0 ? empty('The tracker shows no saved queries.') : html`<ul class="linked">${rows}</ul>`}</section>
<form method="get" class="card"><h2>A query in ${language}</h2>${inputs('queries.run', [
        { name: 'text', label: language, rows: 3, value: query['text'] ?? '', attributes: { required: true } },
        { name: 'tracker', value: tracker },
      ])}<button type="submit">Run</button></form>`,
    }
  },
}

async function found({ run, query: given }: PageRequest, choice: { text?: string; query?: string }): Promise<Html> {
  const tracker = given['tracker'] || undefined
  const { query, total, results } = await run('queries.run', { ...choice, tracker, limit: SHOWN })
  const rows = results.map(
    (item) =>
      html`<tr><td>${item.localRev === 0 ? itemName(item) : html`<a href="${itemPath(item.id)}">${itemName(item)}</a>`}</td><td>${item.type}</td><td>${itemState(item.state, item.stateCategory)}</td><td>${item.title}</td><td>${item.assignedTo?.displayName}</td></tr>`,
  )
  const all = total === null || total <= results.length ? '' : ` of ${total}`
  return html`<section class="card wide" aria-label="Found"><h2>${query.split('\n')[0]!.slice(0, 100)}</h2><p>${results.length}${all} found.</p>
${results.length === 0 ? '' : table('Found items', ['Item', 'Type', 'State', 'Title', 'Assigned to'], rows)}
${results.length === 0 ? '' : operationForm('queries.import', { hidden: { ...choice, tracker, next: '/console/work' }, word: `Import ${total === null ? 'what it finds' : pluralize(Math.min(total, 1000), 'item')}` })}</section>`
}
