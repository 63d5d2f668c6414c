import { empty } from '../../components/page-head'
import type { ConsolePage } from '../../console-page'
import { operationForm } from '../../forms/operation-form'
import { html } from '../../html'
import { itemName, itemPath } from '../item-path'
import { fieldInputs, peopleList, readKnownValues } from './field-inputs'

/** Creates an item in the tracker, on its own or below another one. */
export const newItemPage: ConsolePage = {
  section: 'work',
  access: 'workspace',
  async render(request) {
    const { run, query, may } = request
    const title = 'New item'
    if (!(await may('items.create')))
      return { title, body: html`<h1>${title}</h1>${empty('You may read items and not create them.')}` }
    const parentId = Number(query['parent']) || null
    const parent = parentId === null ? null : await run('items.get', { id: parentId, cached: true })
    const known = await readKnownValues(request, { tracker: parent?.tracker ?? null })
    const trackers = (await run('items.sync-status', {})).map(({ tracker }) => tracker)
    const inTracker =
      parent !== null || trackers.length < 2
        ? []
        : [{ name: 'tracker', choices: trackers.map((name) => [name, name] as const), empty: 'the default one' }]
    const texts = { name: 'updates.Description', label: 'Description', rows: 6 }
    return {
      title,
      styles: ['work.css'],
      body: html`<h1>${title}</h1>
${parent === null ? '' : html`<p>Below <a href="${itemPath(parent.id)}">${parent.type} ${itemName(parent)}, ${parent.title}</a>.</p>`}
${operationForm('items.create', {
  fields: [
    { name: 'type', choices: known.types.map((name) => [name, name] as const) },
    'title',
    ...(parent === null ? [{ name: 'parentId' }] : []),
    ...inTracker,
    ...fieldInputs(request, known, null, { empty: 'the default one' }),
    texts,
  ],
  hidden: parent === null ? {} : { parentId: parent.id },
  inColumns: true,
  word: 'Create item',
})}${peopleList(known)}`,
    }
  },
}
