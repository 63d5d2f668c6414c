import type { ResultOf } from '../../catalog'
import { pluralize } from '../../kernel/text'
import type { ConsolePage } from '../console-page'
import { type Html, html, table, time } from '../html'
import { inputs } from '../schema-inputs'

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
<form class="card" method="post" action="/console/run/drafts.save"><h3>Write a draft</h3>
${inputs('drafts.save', [{ name: 'title', attributes: { required: true } }])}
${chosen ? html`<input type="hidden" name="folderId" value="${chosen.id}">` : ''}
<p class="error" role="alert"></p><button type="submit">Create draft</button></form></div></div>`,
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
  return html`<details><summary>New folder</summary><form method="post" action="/console/run/folders.create">
<input type="hidden" name="next" value="/console/drafts">
${inputs('folders.create', ['name', parent])}
<p class="error" role="alert"></p><button type="submit">Create folder</button></form></details>`
}

function deleteFolderForm({ id, name }: Folders[number]): Html {
  return html`<form method="post" action="/console/run/folders.delete" data-confirm="Delete the folder ${name}?">
<input type="hidden" name="next" value="/console/drafts"><input type="hidden" name="id" value="${id}">
<p class="error" role="alert"></p><button type="submit" class="quiet">Delete this folder</button></form>`
}
