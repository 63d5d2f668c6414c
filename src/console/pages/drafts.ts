import type { ResultOf } from '../../catalog'
import { pluralize } from '../../kernel/text/text'
import { empty, pageHead } from '../components/page-head'
import type { ConsolePage } from '../console-page'
import { detailsForm } from '../forms/details-form'
import { operationForm } from '../forms/operation-form'
import { mayRun } from '../forms/rights'
import { inputs } from '../forms/schema-inputs'
import { type Html, html, number, table, time } from '../html'
import { itemName, itemPath } from './item-path'
import { pickBox, pickHeading } from './work/item-cells'

type Folders = ResultOf<'folders.list'>
type Draft = ResultOf<'drafts.list'>[number]

const MAX_ROWS = 200

/** The drafts of a folder, or of all. */
export const draftsPage: ConsolePage = {
  section: 'drafts',
  access: 'workspace',
  async render({ run, runList, query, url }) {
    const { folder, search, sort } = query
    const folderId = folder ? Number(folder) : undefined
    const input = { ...(folderId ? { folderId } : {}), ...(search ? { search } : {}), ...(sort ? { sort } : {}) }
    const [folders, { entries: drafts, total }] = await Promise.all([
      run('folders.list', {}),
      runList('drafts.list', input as { folderId?: number }, MAX_ROWS),
    ])
    const chosen = folders.find(({ id }) => id === folderId)
    return {
      title: 'Drafts',
      styles: ['work.css'],
      body: html`${pageHead({ title: chosen?.name ?? 'Drafts' })}
<div class="beside"><nav aria-label="Folders"><h2>Folders</h2>
<ul class="tree folders"><li><a href="/console/drafts"${chosen ? '' : html` aria-current="page"`}>All drafts</a></li>${folderTree(folders, null, folderId)}</ul>
${folderForms(folders, chosen)}</nav>
<div><form class="bar" method="get" role="search">${chosen ? html`<input type="hidden" name="folder" value="${chosen.id}">` : ''}
${inputs(
  'drafts.list',
  [
    { name: 'search', label: 'Search', attributes: { type: 'search' } },
    { name: 'sort', label: 'Order', texts: orders },
  ],
  { values: { search, sort }, inRow: true },
)}<button type="submit" class="quiet">Search</button></form>
${drafts.length === 0 ? nothing(search, chosen) : list(drafts, { folders, total, next: url })}
${drafts.length === 0 && !search ? '' : draftForm(chosen)}</div></div>`,
    }
  },
}

const orders = {
  updated: 'last changed first',
  '-updated': 'first changed first',
  created: 'newest first',
  '-created': 'oldest first',
  title: 'title',
  '-title': 'title, from Z to A',
  points: 'most points first',
  '-points': 'fewest points first',
}

function nothing(search: string | undefined, chosen: Folders[number] | undefined): Html {
  if (search)
    return empty(
      html`No draft contains “${search}”.`,
      html`<a class="button quiet" href="/console/drafts">Show all drafts</a>`,
    )
  const text = chosen
    ? html`There is no draft in ${chosen.name}.`
    : html`There is no draft yet. Write one, or make a clean copy of a <a href="/console/work">work item</a>.`
  return empty(text, draftForm(chosen))
}

function draftForm(chosen: Folders[number] | undefined): Promise<Html> {
  return operationForm('drafts.save', {
    className: 'card',
    head: html`<h3>Write a draft</h3>`,
    hidden: { folderId: chosen?.id },
    fields: [{ name: 'title', attributes: { required: true } }],
    word: 'Create draft',
  })
}

interface Listed {
  folders: Folders
  total: number
  /** Where it goes on after drafts were moved. */
  next: string
}

/** The drafts as a table, with boxes for those that may be moved. */
async function list(drafts: readonly Draft[], { folders, total, next }: Listed): Promise<Html> {
  const canMove = (await mayRun('drafts.move')) && folders.length > 1
  const nameOf = new Map(folders.map(({ id, name }) => [id, name]))
  const rows = drafts.map(
    ({ id, title, storyPoints, folderId, updatedAt, sourceItemId, sourceReference }) =>
      html`<tr>${canMove ? pickBox({ name: 'id', value: id, title }) : ''}<th scope="row"><a href="/console/drafts/${id}">${title === '' ? 'No title' : title}</a></th><td class="number">${storyPoints ?? ''}</td><td>${nameOf.get(folderId) ?? ''}</td><td>${sourceItemId === null || sourceReference === null ? '' : html`<a href="${itemPath(sourceItemId)}">${itemName({ reference: sourceReference })}</a>`}</td><td>${time(updatedAt)}</td></tr>`,
  )
  const box = canMove ? [pickHeading()] : []
  const found = html`<p role="status">${pluralize(total, 'draft')}${total > drafts.length ? `, the first ${drafts.length} of them:` : '.'}</p>
${table('Drafts', [...box, 'Title', number('Points'), 'Folder', 'Copied from', 'Changed'], rows)}`
  if (!canMove) return found
  return html`<form method="post" action="/console/run/drafts.move"><input type="hidden" name="next" value="${next}">${found}
<div class="bar">${inputs('drafts.move', [{ name: 'folderId', label: 'Move the chosen ones to', choices: folderChoices(folders) }], { inRow: true })}<button type="submit" class="quiet">Move</button> <span class="error" role="alert"></span></div></form>`
}

function folderTree(folders: Folders, parent: number | null, current: number | undefined): Html[] {
  return folders
    .filter(({ parentId }) => parentId === parent)
    .map(
      ({ id, name, draftCount }) =>
        html`<li><a href="/console/drafts?folder=${id}"${id === current ? html` aria-current="page"` : ''}>${name}</a> <span class="soft">${draftCount}</span>
<ul>${folderTree(folders, id, current)}</ul></li>`,
    )
}

export function folderChoices(folders: Folders): [value: number, text: string][] {
  return folders.map(({ id, name }) => [id, name])
}

/** What can be done with the folders: with the chosen one, where there is one. */
function folderForms(folders: Folders, chosen: Folders[number] | undefined): Html {
  const inFolder = (value: number | null | undefined, others: Folders) => ({
    name: 'parentId',
    label: 'In',
    value: value ?? '',
    choices: folderChoices(others),
    empty: 'top level',
  })
  const create = detailsForm('New folder', 'folders.create', {
    key: 'new-',
    hidden: { next: '/console/drafts' },
    fields: ['name', inFolder(chosen?.id, folders)],
    word: 'Create folder',
  })
  if (!chosen) return html`${create}`
  const others = folders.filter(({ id }) => id !== chosen.id)
  const change = detailsForm('Rename or move this folder', 'folders.update', {
    hidden: { id: chosen.id, next: `/console/drafts?folder=${chosen.id}` },
    fields: [{ name: 'name', value: chosen.name }, inFolder(chosen.parentId, others)],
    onlyChanges: true,
    word: 'Save',
  })
  const moveTo = { name: 'moveTo', choices: folderChoices(others), empty: 'none, it has no drafts' }
  const remove = detailsForm('Delete this folder', 'folders.delete', {
    hidden: { id: chosen.id, next: '/console/drafts' },
    fields: chosen.draftCount > 0 ? [{ ...moveTo, empty: undefined as never }] : [],
    confirm: `Delete the folder ${chosen.name}?`,
    word: 'Delete the folder',
  })
  return html`${create}${change}${remove}`
}
