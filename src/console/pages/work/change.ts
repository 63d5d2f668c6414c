import { pluralize } from '../../../kernel/text/text'
import { empty } from '../../components/page-head'
import type { ConsolePage, PageRequest } from '../../console-page'
import { hiddenFields } from '../../forms/hidden-fields'
import { inputs } from '../../forms/schema-inputs'
import { type Html, html } from '../../html'
import { itemName, itemPath } from '../item-path'
import { CLEARED_FIELDS, fieldInputs, peopleList, readItems, readKnownValues } from './field-inputs'
import { flatten, type ItemNode } from './item-rows'
import { findMatches, queryOf } from './matching-items'
import { MAX_CHANGED } from './selection'

const MAX_NAMED = 20

/** Changes fields of the chosen items, or of all that match. The plan is shown before anything is sent. */
export const changePage: ConsolePage = {
  section: 'work',
  access: 'workspace',
  async render(request) {
    if (!(await request.may('items.batch-update')))
      return {
        title: 'Change items',
        body: html`<h1>Change items</h1>${empty('You may read items and not change them.')}`,
      }
    const { items, cached } = await findChosen(request)
    const title = `Change ${pluralize(items.length, 'item')}`
    const body =
      items.length === 0
        ? html`<h1>Change items</h1>${empty('No items are chosen. Tick some of the tree or the list.', html`<a class="button" href="/console/work">Choose items</a>`)}`
        : items.length > MAX_CHANGED
          ? html`<h1>${title}</h1>${empty(`One change takes at most ${MAX_CHANGED} items. Narrow them by filters.`, html`<a class="button" href="/console/work?view=list">Choose items</a>`)}`
          : html`<h1>${title}</h1>${await changeForm(request, items, cached)}<div class="answer"></div>`
    return { title: 'Change items', body, styles: ['work.css'] }
  },
}

/** The chosen items, and all that are cached. */
async function findChosen(request: PageRequest): Promise<{ items: readonly ItemNode[]; cached: readonly ItemNode[] }> {
  const query = queryOf(request)
  if (query.has('all')) {
    const { shown, trees } = await findMatches(request)
    return { items: shown, cached: flatten(trees) }
  }
  const wanted = new Set(query.getAll('id').map(Number))
  const cached = wanted.size === 0 ? [] : await readItems(request.run)
  return { items: cached.filter(({ id }) => wanted.has(id)), cached }
}

async function changeForm(
  request: PageRequest,
  items: readonly ItemNode[],
  cached: readonly ItemNode[],
): Promise<Html> {
  const trackers = new Set(items.map(({ tracker }) => tracker))
  const types = new Set(items.map(({ type }) => type))
  const known = await readKnownValues(request, {
    tracker: trackers.size === 1 ? [...trackers][0]! : null,
    types: [...types],
    cached,
  })
  const hidden = { itemIds: items.map(({ id }) => id).join(' '), next: '/console/work?view=list', dryRun: true }
  const parent = { name: 'updates.Parent', label: 'Parent', attributes: { placeholder: 'ID of the item above' } }
  const tags = { name: 'tags', label: 'Tags to add and to remove', attributes: { placeholder: '+ready, -blocked' } }
  return html`<p class="soft">${items.slice(0, MAX_NAMED).map((item, index) => html`${index === 0 ? '' : '; '}<a href="${itemPath(item.id)}">${itemName(item)}</a> ${item.title}`)}${items.length > MAX_NAMED ? `; and ${items.length - MAX_NAMED} more.` : ''}</p>
<form method="post" action="/console/run/items.batch-update">${hiddenFields(hidden)}
<div class="columns">${inputs('items.batch-update', [...fieldInputs(request, known, null, { empty: 'as it is' }), tags, parent])}</div>
<fieldset><legend>Clear</legend>${CLEARED_FIELDS.map(([field, label]) => html`<label class="choice"><input type="checkbox" name="fields.${field}[value]" value=""> ${label}</label>`)}</fieldset>
${peopleList(known)}<p class="error" role="alert"></p><button type="submit">Show the plan</button> <span class="soft">Nothing is changed before you have seen it.</span></form>`
}
