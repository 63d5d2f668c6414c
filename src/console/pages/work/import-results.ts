import type { ResultOf } from '../../../catalog'
import { pluralize } from '../../../kernel/text/text'
import { badge } from '../../components/badge'
import { operationForm } from '../../forms/operation-form'
import { type Html, html, table } from '../../html'
import { itemName, itemPath } from '../item-path'

/** What became of each feature, with a form for those that could not be imported. */
export function renderImportedFeatures({
  features,
  imported,
  updated,
  unchanged,
}: ResultOf<'features.import-many'>): Html {
  const failed = features.filter(({ problem }) => problem !== null)
  const rows = features.map(
    ({ id, reference, title, items, problem }) =>
      html`<tr><th scope="row"><a href="${itemPath(id)}">${title ?? itemName({ reference })}</a></th><td class="number">${items}</td><td>${problem === null ? badge('good', 'imported') : html`${badge('bad', 'failed')} ${problem}`}</td></tr>`,
  )
  return html`<section class="card wide" aria-label="Imported"><p>${imported} new, ${updated} changed, ${unchanged} as before.</p>
${table('Features', ['Feature', html`<th scope="col" class="number">Items</th>`, 'Outcome'], rows)}
${failed.length === 0 ? '' : operationForm('features.import-many', { hidden: { 'featureIds[]': failed.map(({ id }) => id), next: '/console/work' }, word: `Try ${pluralize(failed.length, 'feature')} again`, quiet: true })}
<a class="button" href="/console/work">Show the work</a></section>`
}

export function renderImportedItems({ imported, failed }: ResultOf<'items.import-single'>): Html {
  return html`<section class="card wide" aria-label="Imported"><p>${pluralize(imported.length, 'item')} imported${failed.length === 0 ? '' : `, ${failed.length} not`}.</p>
<ul>${imported.map((item) => html`<li><a href="${itemPath(item.id)}">${item.title}</a> <span class="soft">${itemName(item)}</span></li>`)}
${failed.map(({ reference, reason }) => html`<li>${badge('bad', 'failed')} ${itemName({ reference })}: ${reason}</li>`)}</ul>
<a class="button" href="/console/work">Show the work</a></section>`
}

const MAX_ROWS = 500

/** What became of each row of a file, the refused ones first. */
export function renderImportedFile({
  rows,
  added,
  changed,
  unchanged,
  refused,
  dryRun,
  notes,
}: ResultOf<'items.import-file'>): Html {
  const shown = [...rows].sort((a, b) => Number(b.code !== null) - Number(a.code !== null)).slice(0, MAX_ROWS)
  return html`<section class="card wide" aria-label="Rows"><p>${dryRun ? 'Nothing is imported yet: ' : ''}${added} new, ${changed} changed, ${unchanged} as before, ${refused} refused.</p>
${notes.map((note) => html`<p class="notice warn">${note}</p>`)}
${table(
  'Rows',
  ['Line', 'Item', 'Outcome', 'Why'],
  shown.map(
    ({ line, id, outcome, code, message }) =>
      html`<tr><td class="number">${line}</td><td>${id === null ? '' : dryRun ? id : html`<a href="${itemPath(id)}">${id}</a>`}</td><td>${code === null ? badge('good', outcome) : badge('bad', outcome)}</td><td>${message}</td></tr>`,
  ),
)}
${rows.length > shown.length ? html`<p>And ${rows.length - shown.length} more.</p>` : ''}
${dryRun ? '' : html`<a class="button" href="/console/work">Show the work</a>`}</section>`
}
