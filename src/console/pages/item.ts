import type { ResultOf } from '../../catalog'
import { DEFAULT_TRACKER_NAME } from '../../kernel/text/item-reference'
import type { ConsolePage } from '../console-page'
import { operationForm } from '../forms/operation-form'
import { type Html, html, table, time } from '../html'
import { richText } from '../rich-text'
import { itemName, itemPath } from './item-path'

const MAX_SNAPSHOTS = 20

/** A cached work item with its texts, its children, what blocks it, and its history. */
export const itemPage: ConsolePage = {
  section: 'work',
  access: 'workspace',
  async render({ run, toPageHtml, params, may }) {
    const id = Number(params['id'])
    const [item, history] = await Promise.all([run('items.get', { id, cached: true }), run('items.history', { id })])
    return {
      title: `${item.type} ${itemName(item)}`,
      body: html`<h1>${item.title}</h1>
${item.goneSince === null ? '' : html`<p role="alert">The tracker has not returned this item since ${time(item.goneSince)}. ${item.goneReason}</p>`}
<div class="bar">
${operationForm('items.get', { hidden: { id, next: itemPath(id) }, word: 'Read it again from the tracker', quiet: true })}
${(await may('drafts.copy-sanitize')) ? html`<a class="button quiet" href="${itemPath(id)}/copy">Copy into a clean draft</a>` : ''}
${/^https?:/.test(item.url) ? html`<a class="button quiet" href="${item.url}" rel="noreferrer">Open in the tracker</a>` : ''}
</div>
${facts(item)}
${item.blocked.map(({ evidence }) => html`<p class="blocker">Blocked: ${evidence}</p>`)}
<h2>Description</h2>${richText(toPageHtml, item.description, item.descriptionFormat)}
<h2>Acceptance criteria</h2>${richText(toPageHtml, item.acceptanceCriteria, item.acceptanceCriteriaFormat)}
${children(item)}
${changes(history)}`,
    }
  },
}

function facts(item: ResultOf<'items.get'>): Html {
  const rows: [string, Html | string | number | null][] = [
    ['Type', `${item.type} ${itemName(item)}`],
    ['Tracker', item.tracker === DEFAULT_TRACKER_NAME ? null : item.tracker],
    ['State', item.state],
    ['Assigned to', item.assignedTo?.displayName ?? 'no one'],
    ['Story points', item.storyPoints],
    ['Priority', item.priority],
    ['Area', item.areaPath],
    ['Iteration', item.iterationPath],
    ['Tags', item.tags.join(', ') || null],
    [
      'Parent',
      item.parentId === null || item.parentReference === null
        ? null
        : html`<a href="${itemPath(item.parentId)}">${itemName({ reference: item.parentReference })}</a>`,
    ],
    ['Changed', time(item.changedAt)],
    ['Read', item.fromFile === null ? time(item.fetchedAt) : `from the file ${item.fromFile.name}`],
  ]
  return html`<dl class="facts">${rows.flatMap(([name, value]) => (value === null ? [] : [html`<dt>${name}</dt><dd>${value}</dd>`]))}</dl>`
}

function children({ children: items }: ResultOf<'items.get'>): Html {
  if (items.length === 0) return html``
  return html`<h2>Children</h2><ul>${items.map((item) => html`<li><a href="${itemPath(item.id)}">${item.title}</a> <span class="soft">${itemName(item)} · ${item.state}</span></li>`)}</ul>`
}

function changes({ snapshots }: ResultOf<'items.history'>): Html {
  const shown = snapshots.slice(0, MAX_SNAPSHOTS)
  const rows = shown.map(
    ({ rev, recordedAt, changes: fields, linksChanged }, index) =>
      html`<tr><td>${rev}</td><td>${time(recordedAt)}</td><td>${index === shown.length - 1 && shown.length === snapshots.length ? 'first snapshot' : [...fields.map(({ field, from, to }) => `${field.split('.').at(-1)}: ${shorten(from)} → ${shorten(to)}`), ...(linksChanged ? ['links'] : [])].join('; ')}</td></tr>`,
  )
  return html`<h2>History</h2>${table('Snapshots', ['Revision', 'Recorded', 'Changes'], rows)}`
}

function shorten(value: string | number | boolean | null): string {
  const text = String(value ?? 'none')
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
