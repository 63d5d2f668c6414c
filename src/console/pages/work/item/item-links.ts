import type { ResultOf } from '../../../../catalog'
import { StudioError } from '../../../../kernel'
import { itemState } from '../../../components/badge'
import type { PageRequest } from '../../../console-page'
import { detailsForm } from '../../../forms/details-form'
import { operationForm } from '../../../forms/operation-form'
import { type Html, html } from '../../../html'
import { itemName, itemPath } from '../../item-path'

type Item = ResultOf<'items.get'>
type Linked = Item['predecessors'][number]
type LinkField = 'parentId' | 'childIds' | 'predecessorIds' | 'successorIds'

const KINDS = [
  ['parentId', 'link:parent', 'Parent'],
  ['childIds', 'link:child', 'Children'],
  ['predecessorIds', 'link:predecessor', 'Must be completed first'],
  ['successorIds', 'link:successor', 'Wait for it'],
  ['relatedIds', 'link:related', 'Related'],
] as const

/** The items above, beside and after an item, and the drafts that were copied from it. */
export async function itemLinks(
  { service, run }: Pick<PageRequest, 'service' | 'run'>,
  item: Item,
  drafts: ResultOf<'drafts.list'>,
): Promise<Html> {
  const { parentId: id, parentReference: reference } = item
  const above = id === null ? null : await run('items.get', { id, cached: true }).catch(ifNotCached)
  const parent =
    id === null || reference === null
      ? []
      : [linkRow(item.id, 'parentId', { id, reference, title: above?.title ?? '' })]
  const kinds = KINDS.filter(([, capability]) => service.isOffered(capability))
  return html`<section class="card" aria-label="Links"><h2>Links</h2>
${linkList('Parent', parent)}
${linkList(
  'Waits for',
  item.predecessors.map((one) => linkRow(item.id, 'predecessorIds', one)),
)}
${linkList(
  'Wait for it',
  item.successors.map((one) => linkRow(item.id, 'successorIds', one)),
)}
${linkList(
  'Drafts copied from it',
  drafts.map(({ id, title }) => html`<li><a href="/console/drafts/${id}">${title}</a></li>`),
)}
${service.isOffered('part:webLinks') || service.isOffered('part:worklogs') ? html`<p><a href="${itemPath(item.id)}/links">Pull requests, pages and time</a></p>` : ''}
${detailsForm('Link to other items', 'items.link', {
  hidden: { id: item.id, next: itemPath(item.id), dryRun: true },
  fields: kinds.map(([name, , label]) => ({
    name,
    label,
    attributes: { placeholder: name === 'parentId' ? 'ID' : 'IDs with spaces between them' },
  })),
  word: 'Show the plan',
})}<div class="answer"></div></section>`
}

function ifNotCached(error: unknown): null {
  if (error instanceof StudioError && error.code === 'not_found') return null
  throw error
}

function linkList(title: string, rows: readonly Html[]): Html | '' {
  return rows.length === 0 ? '' : html`<h3>${title}</h3><ul class="linked">${rows}</ul>`
}

function linkRow(id: number, field: LinkField, other: Pick<Linked, 'id' | 'reference' | 'title'>): Html {
  const name = itemName(other)
  return html`<li><a href="${itemPath(other.id)}">${name}</a> ${other.title} ${unlinkForm(id, field, other)}</li>`
}

function unlinkForm(id: number, field: LinkField, other: Pick<Linked, 'id' | 'reference'>): Promise<Html> {
  const name = itemName(other)
  return operationForm('items.unlink', {
    hidden: { id, [field]: other.id, next: itemPath(id) },
    confirm: `Remove the link to ${name}?`,
    word: 'Remove',
    about: `Remove the link to ${name}`,
    quiet: true,
  })
}

const MAX_CHILDREN = 200

/** The cached items directly below it, and the way to create one. */
export async function itemChildren({ may }: Pick<PageRequest, 'may'>, item: Item): Promise<Html> {
  const create = (await may('items.create'))
    ? html`<a class="button quiet" href="/console/work/new?parent=${item.id}">New child</a>`
    : ''
  const rest = item.children.length - MAX_CHILDREN
  const more =
    rest <= 0 ? '' : html`<p><a href="/console/work?feature=${item.id}">And ${rest} more, in the tree</a></p>`
  const rows = item.children
    .slice(0, MAX_CHILDREN)
    .map(
      (child) =>
        html`<li>${itemState(child.state, child.stateCategory)} <a href="${itemPath(child.id)}">${child.title}</a> <span class="soft">${itemName(child)}</span> ${unlinkForm(item.id, 'childIds', child)}</li>`,
    )
  return html`<div class="head"><h2>Children</h2><div class="bar">${create}</div></div>${rows.length === 0 ? html`<p class="soft">None.</p>` : html`<ul class="linked">${rows}</ul>`}${more}`
}
