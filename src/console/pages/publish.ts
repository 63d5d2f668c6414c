import type { ResultOf } from '../../catalog'
import { empty } from '../components/page-head'
import type { ConsolePage } from '../console-page'
import type { Fields } from '../forms/form'
import { operationForm } from '../forms/operation-form'
import type { InputField } from '../forms/schema-inputs'
import { type Html, html, time } from '../html'
import { itemName, itemPath } from './item-path'
import { readKnownValues } from './work/field-inputs'

type Draft = ResultOf<'drafts.get'>

/** Publishes a draft to the tracker. Each form shows first what would be sent. */
export const publishPage: ConsolePage = {
  section: 'drafts',
  access: 'workspace',
  async render(request) {
    const { run, params, may } = request
    const draft = await run('drafts.get', { id: Number(params['id']) })
    const title = `Publish ${draft.title}`
    const head = html`<h1>${title}</h1><p><a href="/console/drafts/${draft.id}">The draft</a></p>${publicationsOf(draft)}`
    if (!(await may('items.publish-draft')))
      return { title, body: html`${head}${empty('You may write drafts and not change the tracker.')}` }
    const known = await readKnownValues(request, { tracker: null })
    const trackers = (await run('items.sync-status', {})).map(({ tracker }) => tracker)
    return { title, body: html`${head}${forms(draft, newItemFields(draft, known.types, trackers))}` }
  },
}

/** Where a draft was published, the last first. */
export function publicationsOf({ publications }: Draft): Html | '' {
  if (publications.length === 0) return ''
  const links = publications.map(
    ({ itemId, reference, publishedAt }) =>
      html`<li><a href="${itemPath(itemId)}">${itemName({ reference })}</a>, ${time(publishedAt)}</li>`,
  )
  return html`<p>Published as:</p><ul>${links}</ul>`
}

function newItemFields({ sourceItemId }: Draft, types: readonly string[], trackers: readonly string[]): InputField[] {
  const isCopy = sourceItemId !== null
  return [
    {
      name: 'type',
      choices: types.map((name) => [name, name] as const),
      empty: isCopy ? 'that of the copied item' : 'Choose a type',
      attributes: { required: !isCopy },
    },
    { name: 'parentId', label: 'Below the item' },
    ...(trackers.length < 2
      ? []
      : [{ name: 'tracker', choices: trackers.map((name) => [name, name] as const), empty: 'the default one' }]),
  ]
}

const PLAN = 'Show what would be sent'

/** An item that the draft was published as, or copied from, is updated; and there may be another new one. */
function forms({ id, publications, sourceItemId, sourceReference }: Draft, fields: InputField[]): Html {
  const hidden: Fields = { id, next: `/console/drafts/${id}`, dryRun: true }
  const [last] = publications
  const create = (more: Fields, word: string) =>
    html`${operationForm('items.publish-draft', { hidden: { ...hidden, ...more }, fields, word })}<div class="answer"></div>`
  const update = (more: Fields, reference: string) =>
    html`<h2>Update ${itemName({ reference })}</h2>
${operationForm('items.publish-draft', { hidden: { ...hidden, ...more }, word: PLAN })}<div class="answer"></div>`
  if (last !== undefined)
    return html`${update({}, last.reference)}
<details><summary>Create another item</summary>${create({ asNew: true }, PLAN)}</details>`
  if (sourceItemId === null || sourceReference === null) return html`<h2>Create an item</h2>${create({}, PLAN)}`
  return html`${update({ to: sourceItemId }, sourceReference)}
<details><summary>Create a new item</summary>${create({}, PLAN)}</details>`
}
