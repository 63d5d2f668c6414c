import { REMOVED_MARK } from '../../kernel/text/removed-mark'
import type { ConsolePage } from '../console-page'
import { inputs } from '../forms/schema-inputs'
import { type Html, html, table } from '../html'
import { richText } from '../rich-text'
import { folderChoices } from './drafts'
import { itemPath } from './item-path'

/** What a clean copy of a work item would be, beside the original. Nothing is saved before the form is sent. */
export const sanitizedCopyPage: ConsolePage = {
  section: 'drafts',
  access: 'workspace',
  async render({ run, toPageHtml, params }) {
    const id = Number(params['id'])
    const draft = await run('drafts.copy-sanitize', { id, dryRun: true })
    const [item, folders] = await Promise.all([run('items.get', { id, cached: true }), run('folders.list', {})])
    const { removed, excerpts } = draft.sanitization
    return {
      title: `Copy of ${id}`,
      body: html`<h1>Copy ${item.type} ${id} into a clean draft</h1>
${draft.source.stale ? html`<p class="notice" role="status">The tracker did not return the item, so this is revision ${draft.sourceRev} as it was read at ${draft.source.fetchedAt}.</p>` : ''}
<form class="bar" method="post" action="/console/run/drafts.copy-sanitize"><input type="hidden" name="id" value="${id}">
${draft.source.stale ? html`<input type="hidden" name="cached" value="true">` : ''}${inputs('drafts.copy-sanitize', [{ name: 'folderId', choices: folderChoices(folders) }])}
<button type="submit">Save as a draft</button><a class="button quiet" href="${itemPath(id)}">Back</a> <span class="error" role="alert"></span></form>
${table(
  'Removed',
  ['What', 'Field', 'Count', 'Where'],
  removed.map(
    ({ kind, field, count }) =>
      html`<tr><td>${kind.replaceAll('-', ' ')}</td><td>${fieldNames[field] ?? field}</td><td>${count}</td><td>${excerpts.filter((excerpt) => excerpt.kind === kind && excerpt.field === field).map(({ text }) => markRemoved(text))}</td></tr>`,
  ),
)}
<div class="beside even"><section class="card" aria-label="Original"><h2>Original</h2>
<h3>${item.title}</h3>${richText(toPageHtml, item.description, item.descriptionFormat)}<h3>Acceptance criteria</h3>${richText(toPageHtml, item.acceptanceCriteria, item.acceptanceCriteriaFormat)}</section>
<section class="card" aria-label="Clean draft"><h2>Clean draft</h2>
<h3>${markRemoved(draft.title)}</h3><pre>${markRemoved(draft.description ?? '')}</pre><h3>Acceptance criteria</h3><pre>${markRemoved(draft.acceptanceCriteria ?? '')}</pre></section></div>`,
    }
  },
}

const fieldNames: Record<string, string> = { acceptanceCriteria: 'acceptance criteria', assignedTo: 'assignee' }

const MARKS = new RegExp(`(${REMOVED_MARK.source})`)

/** The marks that stand for what was removed, such as `[email removed]`. */
function markRemoved(text: string): Html[] {
  return text.split(MARKS).map((part, index) => (index % 2 === 1 ? html`<mark>${part}</mark>` : html`${part}`))
}
