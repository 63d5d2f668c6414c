import type { ResultOf } from '../../catalog'
import { formatByteSize } from '../../kernel/files/byte-size'
import { facts } from '../components/facts'
import { pageHead } from '../components/page-head'
import type { ConsolePage } from '../console-page'
import { operationForm } from '../forms/operation-form'
import { inputs } from '../forms/schema-inputs'
import { type Html, html, table, time } from '../html'
import { richText, type ToPageHtml } from '../rich-text'
import { folderChoices } from './drafts'
import { itemName, itemPath } from './item-path'
import { publicationsOf } from './publish'

type Draft = ResultOf<'drafts.get'>

/** The editor of a draft with its preview, its history, and the help of the language model. */
export const draftPage: ConsolePage = {
  section: 'drafts',
  access: 'workspace',
  async render({ run, toPageHtml, params, may }) {
    const id = Number(params['id'])
    const [draft, history, folders, prompts] = await Promise.all([
      run('drafts.get', { id }),
      run('drafts.history', { id }),
      run('folders.list', {}),
      run('prompts.list', {}),
    ])
    const mayEdit = await may('drafts.save')
    return {
      title: draft.title,
      body: html`${pageHead({ title: draft.title, actions: (await may('items.publish-draft')) ? html`<a class="button quiet" href="/console/drafts/${id}/publish">Publish</a>` : '' })}
${draft.sourceItemId === null || draft.sourceReference === null ? '' : html`<p>A clean copy of <a href="${itemPath(draft.sourceItemId)}">work item ${itemName({ reference: draft.sourceReference })}</a>.</p>`}
${publicationsOf(draft)}
${filesOf(draft)}
${furtherFields(draft)}
${mayEdit ? html`<div class="beside even">${editor(draft, folders)}${renderPreview(toPageHtml, draft)}</div>` : renderPreview(toPageHtml, draft)}
${(await may('drafts.refine')) ? refineForm(id, prompts) : ''}
${versions(history, mayEdit)}
${operationForm('drafts.delete', { hidden: { id, next: '/console/drafts' }, confirm: `Delete draft ${id} permanently?`, word: 'Delete this draft', quiet: true })}`,
    }
  },
}

/** The images that are stored with the draft, and that publishing it attaches. */
function filesOf({ files }: Draft): Html | '' {
  if (files.length === 0) return ''
  const rows = files.map(
    ({ name, mediaType, bytes }) => html`<li>${name} (${mediaType}, ${formatByteSize(bytes)})</li>`,
  )
  return html`<p>Images:</p><ul>${rows}</ul>`
}

/** What the draft sets in the tracker besides its own fields. */
function furtherFields({ fields }: Draft): Html | '' {
  const rows = Object.entries(fields).map(
    ([name, value]) => [name, value === null ? 'cleared' : String(value)] as const,
  )
  return rows.length === 0 ? '' : facts(rows)
}

function refineForm(id: number, prompts: ResultOf<'prompts.list'>): Html {
  return html`<h2>Refine with the language model</h2>
<form class="bar" method="post" action="/console/run/drafts.refine" data-stream><input type="hidden" name="id" value="${id}">
${inputs('drafts.refine', [{ name: 'promptId', label: 'Prompt', choices: prompts.map((prompt) => [prompt.id, prompt.id]) }], { inRow: true })}
<button type="submit" class="quiet">Suggest changes</button> <span class="error" role="alert"></span></form><div class="answer"></div>`
}

/** It is saved while it is written. A save states the version that it is based on, so that no change of others is lost. */
function editor(draft: Draft, folders: ResultOf<'folders.list'>): Html {
  const { id, updatedAt } = draft
  const texts = [
    { name: 'description', rows: 12 },
    { name: 'acceptanceCriteria', rows: 8 },
  ]
  const folder = { name: 'folderId', label: 'Folder', choices: folderChoices(folders) }
  return html`<form method="post" action="/console/run/drafts.save" data-autosave>
<input type="hidden" name="id" value="${id}"><input type="hidden" name="updatedAt" value="${updatedAt}"><input type="hidden" name="next" value="/console/drafts/${id}">
${inputs('drafts.save', ['title', ...texts, 'storyPoints', 'tags', folder], { values: draft })}
<p class="error" role="alert"></p>
<button type="submit">Save</button> <output></output></form>`
}

/** The texts as they will look. */
export function renderPreview(toPageHtml: ToPageHtml, { description, acceptanceCriteria }: Draft): Html {
  return html`<section id="preview" class="card" aria-label="Preview"><h2>Description</h2>${richText(toPageHtml, description)}<h2>Acceptance criteria</h2>${richText(toPageHtml, acceptanceCriteria)}</section>`
}

function versions({ id, versions }: ResultOf<'drafts.history'>, mayRestore: boolean): Html {
  return html`<h2>History</h2>${table(
    'Versions',
    ['Version', 'Saved', 'Changed', ...(mayRestore ? ['Action'] : [])],
    versions.map(
      ({ version, savedAt, restored, changed }, index) =>
        html`<tr><td>${version}</td><td>${time(savedAt)}</td><td>${restored === null ? changed.join(', ') || 'created' : `restored version ${restored}`}</td>${
          mayRestore
            ? html`<td>${
                index === 0
                  ? 'current'
                  : operationForm('drafts.undo', {
                      hidden: { id, to: version, next: `/console/drafts/${id}` },
                      word: 'Restore',
                      about: `Restore version ${version}`,
                      quiet: true,
                    })
              }</td>`
            : ''
        }</tr>`,
    ),
  )}`
}
