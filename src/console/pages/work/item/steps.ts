import type { ResultOf } from '../../../../catalog'
import { itemState } from '../../../components/badge'
import { pageHead } from '../../../components/page-head'
import type { ConsolePage, PageRequest } from '../../../console-page'
import { operationForm } from '../../../forms/operation-form'
import { type Html, html } from '../../../html'
import { itemName, itemPath } from '../../item-path'
import { peopleList, readKnownValues } from '../field-inputs'

/** What usually happens to an item: its next state, another person, its end. The page asks the tracker what the workflow allows. */
export const stepsPage: ConsolePage = {
  section: 'work',
  access: 'workspace',
  async render(request) {
    const { run, params, service } = request
    const id = Number(params['id'])
    const item = await run('items.get', { id, cached: true })
    const hidden = { id, next: itemPath(id) }
    const known = await readKnownValues(request, { tracker: item.tracker, types: [item.type] })
    return {
      title: `Move on: ${item.title}`,
      styles: ['work.css'],
      body: html`${pageHead({
        title: `Move on: ${item.title}`,
        about: html`<a href="${itemPath(id)}">${item.type} ${itemName(item)}</a>`,
      })}
${item.goneSince === null ? await presentForms(request, item) : html`<p role="alert">The tracker does not have this item any more. ${item.goneReason}</p>`}
${item.goneSince !== null && service.isOffered('part:restoring') ? operationForm('items.restore', { hidden, word: 'Bring it back' }) : ''}${peopleList(known)}`,
    }
  },
}

async function presentForms({ run, service }: PageRequest, item: ResultOf<'items.get'>): Promise<Html> {
  const { id } = item
  const hidden = { id, next: itemPath(id) }
  const steps = service.isOffered('part:transitions') ? await run('items.transitions', { id }) : null
  const forms = steps?.transitions.map(({ state, category, name, required }) =>
    operationForm('items.move', {
      hidden: { ...hidden, state },
      key: state,
      className: 'card',
      head: html`<h3>${itemState(state, category)}${name === null ? '' : html` <span class="soft">${name}</span>`}</h3>`,
      fields: required.map(({ field, allowedValues }) => ({
        name: `updates.${field}`,
        label: field,
        ...(allowedValues && { choices: allowedValues.map((value) => [value, value] as const) }),
        attributes: { required: true },
      })),
      word: `Move to ${state}`,
    }),
  )
  return html`${
    steps === null
      ? ''
      : html`<section aria-label="State"><h2>State</h2><p>Now ${itemState(steps.state, item.stateCategory)}</p>
${steps.transitions.length === 0 ? html`<p class="soft">No state can follow, or your account may not move it.</p>` : html`<div class="cards">${forms}</div>`}</section>`
  }
${operationForm('items.assign', {
  hidden,
  className: 'card',
  head: html`<h2>Person</h2>`,
  fields: [
    {
      name: 'assignedTo',
      label: 'Assigned to',
      attributes: { list: 'people', placeholder: item.assignedTo?.displayName ?? 'no one' },
    },
  ],
  word: 'Assign',
})}${
  item.assignedTo === null
    ? ''
    : operationForm('items.assign', {
        hidden: { ...hidden, assignedTo: '' },
        key: 'none',
        word: 'Leave it to no one',
        quiet: true,
      })
}
${
  service.isOffered('part:deletion')
    ? operationForm('items.delete', {
        hidden,
        className: 'card',
        head: html`<h2>Delete</h2><p class="soft">${service.isOffered('part:restoring') ? 'A tracker with a recycle bin keeps it there for a while.' : 'The tracker cannot bring it back.'}</p>`,
        confirm: `Delete ${itemName(item)} in the tracker?`,
        word: 'Delete the item',
        quiet: true,
      })
    : ''
}`
}
