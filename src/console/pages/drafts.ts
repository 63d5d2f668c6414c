import type { ResultOf } from '../../catalog'
import { pluralize } from '../../kernel/text/text'
import type { ConsolePage } from '../console-page'
import { operationForm } from '../forms/operation-form'
import { inputs } from '../forms/schema-inputs'
import { type Html, html, table, time } from '../html'

type Folders = ResultOf<'folders.list'>

const MAX_ROWS = 100

/** The drafts of a folder, or of all. */
export const draftsPage: ConsolePage = {
  section: 'drafts',
  access: 'workspace',
  async render({ run, runList, query }) {
    const { folder, search } = query
    const folderId = folder ? Number(folder) : undefined
    const [folders, { entries: drafts, total }] = await Promise.all([
      run('folders.list', {}),
      runList('drafts.list', { ...(folderId ? { folderId } : {}), ...(search ? { search } : {}) }, MAX_ROWS),
    ])
    const chosen = folders.find(({ id }) => id === folderId)
    return {
      title: 'Drafts',
      body: html`<h1>${chosen?.name ?? 'Drafts'}</h1>
<div class="beside"><nav aria-label="Folders"><h2>Folders</h2>
<ul class="tree"><li><a href="/console/drafts"${chosen ? '' : html` aria-current="page"`}>All drafts</a></li>${folderTree(folders, null, folderId)}</ul>
${folderForm(folders, folderId)}${chosen ? deleteFolderForm(chosen) : ''}</nav>
<div><form class="bar" method="get" role="search">${chosen ? html`<input type="hidden" name="folder" value="${chosen.id}">` : ''}
${inputs('drafts.list', [{ name: 'search', label: 'Search', attributes: { type: 'search' } }], { values: { search }, inRow: true })}<button type="submit" class="quiet">Search</button></form>
<p>${pluralize(total, 'draft')}${total > MAX_ROWS ? `, the latest ${MAX_ROWS} of them:` : '.'}</p>
${table(
  'Drafts',
  ['Title', 'Points', 'Folder', 'Changed'],
  drafts.map(
    ({ id, title, storyPoints, folderId: inFolder, updatedAt }) =>
      html`<tr><th scope="row"><a href="/console/drafts/${id}">${title}</a></th><td>${storyPoints ?? ''}</td><td>${folders.find((known) => known.id === inFolder)?.name ?? ''}</td><td>${time(updatedAt)}</td></tr>`,
  ),
)}
${operationForm('drafts.save', { className: 'card', head: html`<h3>Write a draft</h3>`, hidden: { folderId: chosen?.id }, fields: [{ name: 'title', attributes: { required: true } }], word: 'Create draft' })}</div></div>`,
    }
  },
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

function folderForm(folders: Folders, chosen: number | undefined): Html {
  const parent = { name: 'parentId', label: 'In', value: chosen, choices: folderChoices(folders), empty: 'top level' }
  return html`<details><summary>New folder</summary>
${operationForm('folders.create', { hidden: { next: '/console/drafts' }, fields: ['name', parent], word: 'Create folder' })}</details>`
}

function deleteFolderForm({ id, name }: Folders[number]): Promise<Html> {
  const confirm = `Delete the folder ${name}?`
  return operationForm('folders.delete', {
    hidden: { id, next: '/console/drafts' },
    confirm,
    word: 'Delete this folder',
    quiet: true,
  })
}
