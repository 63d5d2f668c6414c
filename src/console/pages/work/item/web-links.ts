import type { ResultOf } from '../../../../catalog'
import { formatSpentTime } from '../../../../kernel/text/spent-time'
import { pageHead } from '../../../components/page-head'
import type { ConsolePage } from '../../../console-page'
import { operationForm } from '../../../forms/operation-form'
import { type Html, html, table, time } from '../../../html'
import { itemName, itemPath } from '../../item-path'

/** What an item has outside of the tracker's items: pull requests, commits, pages, and the time that people spent. */
export const webLinksPage: ConsolePage = {
  section: 'work',
  access: 'workspace',
  async render({ run, params, service }) {
    const id = Number(params['id'])
    const item = await run('items.get', { id, cached: true })
    const [links, work] = await Promise.all([
      service.isOffered('part:webLinks') ? run('items.web-links', { id }) : null,
      service.isOffered('part:worklogs') ? run('items.worklogs', { id, count: 100 }) : null,
    ])
    return {
      title: `Links and time of ${itemName(item)}`,
      styles: ['work.css'],
      body: html`${pageHead({
        title: 'Links and time',
        about: html`<a href="${itemPath(id)}">${item.type} ${itemName(item)}, ${item.title}</a>`,
      })}${links === null ? '' : linkSection(id, links.links, service.isOffered('part:webLinkEditing'))}${work === null ? '' : workSection(id, work)}`,
    }
  },
}

function linkSection(id: number, links: ResultOf<'items.web-links'>['links'], canEdit: boolean): Html {
  const next = `${itemPath(id)}/links`
  const rows = links.map(
    ({ kind, url, title }) =>
      html`<li><span class="soft">${kind.replace('-', ' ')}</span> ${/^https?:/.test(url) ? html`<a href="${url}" rel="noreferrer">${title}</a>` : title} ${
        canEdit
          ? operationForm('items.remove-web-link', {
              hidden: { id, url, next },
              confirm: `Remove the link to ${title}?`,
              word: 'Remove',
              about: `Remove the link to ${title}`,
              quiet: true,
            })
          : ''
      }</li>`,
  )
  return html`<section aria-label="Links"><h2>Pull requests, commits and pages</h2>
${links.length === 0 ? html`<p class="soft">None.</p>` : html`<ul class="linked">${rows}</ul>`}
${canEdit ? operationForm('items.add-web-link', { hidden: { id, next }, className: 'card', fields: [{ name: 'url', label: 'Address' }, 'title'], word: 'Add the link' }) : ''}</section>`
}

function workSection(id: number, { worklogs, total }: ResultOf<'items.worklogs'>): Html {
  const rows = worklogs.map(
    ({ author, startedAt, seconds, text }) =>
      html`<tr><td>${time(startedAt)}</td><td class="number">${formatSpentTime(seconds)}</td><td>${author?.displayName}</td><td class="text">${text}</td></tr>`,
  )
  const headings = ['Begun', html`<th scope="col" class="number">Time</th>`, 'Who', 'What']
  return html`<section aria-label="Time"><h2>Time</h2>
${total === 0 ? html`<p class="soft">None was recorded.</p>` : table('Recorded time', headings, rows)}
${operationForm('items.log-work', { hidden: { id, next: `${itemPath(id)}/links` }, className: 'card', fields: ['time', { name: 'text', rows: 2 }], word: 'Record the time' })}</section>`
}
