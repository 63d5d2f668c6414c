import type { ResultOf } from '../../../../catalog'
import { assetUrl } from '../../../assets'
import { badge } from '../../../components/badge'
import { pageHead } from '../../../components/page-head'
import type { ConsolePage, PageRequest } from '../../../console-page'
import { operationForm } from '../../../forms/operation-form'
import { type Html, html, table, time } from '../../../html'
import { richText } from '../../../rich-text'
import { itemPath } from '../../item-path'
import { attachmentsPlace } from './attachments'
import { commentsPlace } from './comments'
import { editForm, itemFacts, nameOfItem } from './item-facts'
import { itemChildren, itemLinks } from './item-links'

const MAX_SNAPSHOTS = 20
const MAX_DRAFTS = 20

/** A cached work item: its texts, comments, children and history, and beside them its facts and links. */
export const itemPage: ConsolePage = {
  section: 'work',
  access: 'workspace',
  async render(request) {
    const { run, runList, toPageHtml, params, query, may, service } = request
    const id = Number(params['id'])
    const [item, history, { entries: drafts }, canEdit] = await Promise.all([
      run('items.get', { id, cached: true }),
      run('items.history', { id }),
      runList('drafts.list', { sourceItemId: id }, MAX_DRAFTS),
      may('items.batch-update'),
    ])
    const isEdited = canEdit && query['edit'] !== undefined
    return {
      title: nameOfItem(item),
      styles: ['work.css'],
      body: html`${pageHead({
        title: item.title,
        about: html`${nameOfItem(item)}`,
        actions: [
          (await may('items.move')) ? html`<a class="button quiet" href="${itemPath(id)}/steps">Move on</a>` : '',
          (await may('drafts.copy-sanitize'))
            ? html`<a class="button" href="${itemPath(id)}/copy">Copy into a clean draft</a>`
            : '',
          operationForm('items.get', { hidden: { id, next: itemPath(id) }, word: 'Read it again', quiet: true }),
          /^https?:/.test(item.url)
            ? html`<a class="button quiet" href="${item.url}" rel="noreferrer">Open in the tracker</a>`
            : '',
        ],
      })}
${item.goneSince === null ? '' : html`<p role="alert">The tracker has not returned this item since ${time(item.goneSince)}. ${item.goneReason}</p>`}
<div class="beside facts-right"><div>
<h2>Description</h2>${richText(toPageHtml, item.description, item.descriptionFormat)}
<h2>Acceptance criteria</h2>${richText(toPageHtml, item.acceptanceCriteria, item.acceptanceCriteriaFormat)}
${itemChildren(request, item)}
<h2>Comments</h2>${item.fromFile === null ? commentsPlace(id) : html`<p class="soft">A file has no comments.</p>`}
${item.fromFile === null && service.isOffered('part:attachments') ? html`<h2>Attachments</h2>${attachmentsPlace(id)}` : ''}
${changes(history)}
</div><div>${isEdited ? editForm(request, item) : itemFacts(item, { canEdit })}${itemLinks(request, item, drafts)}
${freshness(request, id)}</div></div>
<script type="module" src="${assetUrl('work.js')}"></script>`,
    }
  },
}

/** Whether the tracker has another version, without reading it. Only asked when a reader wants to know. */
async function freshness({ run, query }: PageRequest, id: number): Promise<Html> {
  if (query['fresh'] === undefined)
    return html`<p><a href="${itemPath(id)}?fresh">Is this the version of the tracker?</a></p>`
  const { isFresh, localRev, remoteRev } = await run('items.freshness', { id })
  return isFresh
    ? html`<p role="status">${badge('good', 'current')} The tracker has the same version.</p>`
    : html`<p role="status">${badge('warn', 'outdated')} This is revision ${localRev}. The tracker has revision ${remoteRev}.</p>`
}

function changes({ snapshots }: ResultOf<'items.history'>): Html {
  const shown = snapshots.slice(0, MAX_SNAPSHOTS)
  const isFirst = (index: number) => index === shown.length - 1 && shown.length === snapshots.length
  const rows = shown.map(({ rev, recordedAt, changes: fields, linksChanged }, index) => {
    const texts = fields.map(
      ({ field, from, to }) =>
        html`<div>${field.split('.').at(-1)}: <del>${shorten(from)}</del> <span aria-label="becomes">→</span> <ins>${shorten(to)}</ins></div>`,
    )
    return html`<tr><td class="number">${rev}</td><td>${time(recordedAt)}</td><td>${isFirst(index) ? 'first snapshot' : html`${texts}${linksChanged ? 'links' : ''}`}</td></tr>`
  })
  const headings = [html`<th scope="col" class="number">Revision</th>`, 'Recorded', 'Changes']
  return html`<h2>History</h2>${table('Snapshots', headings, rows)}`
}

function shorten(value: string | number | boolean | null): string {
  const text = String(value ?? 'none')
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
