import type { ResultOf } from '../../../../catalog'
import { DEFAULT_TRACKER_NAME } from '../../../../kernel/text/item-reference'
import { badge, itemState } from '../../../components/badge'
import { facts } from '../../../components/facts'
import type { PageRequest } from '../../../console-page'
import { hiddenFields } from '../../../forms/hidden-fields'
import { inputs } from '../../../forms/schema-inputs'
import { type Html, html, time } from '../../../html'
import { itemName, itemPath } from '../../item-path'
import { showFieldValue } from '../custom-columns'
import { fieldInputs, peopleList, readKnownValues } from '../field-inputs'
import { lastPart } from '../item-rows'

type Item = ResultOf<'items.get'>

/** What is known of an item, in a column beside its texts. */
export function itemFacts(item: Item, { canEdit }: { canEdit: boolean }): Html {
  const edit = canEdit ? html`<a class="button quiet" href="${itemPath(item.id)}?edit#facts">Edit</a>` : ''
  return html`<section id="facts" class="card" aria-label="Facts"><div class="bar between">${itemState(item.state, item.stateCategory)} ${edit}</div>
${item.blocked.map(({ evidence }) => html`<p>${badge('bad', 'blocked')} ${evidence}</p>`)}
${facts([
  ['Assigned to', item.assignedTo?.displayName ?? 'no one'],
  ['Story points', item.storyPoints],
  ['Priority', item.priority],
  ['Iteration', path(item.iterationPath)],
  ['Area', path(item.areaPath)],
  [
    'Tags',
    item.tags.length === 0
      ? null
      : html`${item.tags.map((tag) => html`<a class="chip" href="/console/work?view=list&f=${encodeURIComponent(`tag:${tag}`)}">${tag}</a> `)}`,
  ],
  ...Object.entries(item.customFields ?? {}).map(([name, value]) => [name, showFieldValue(value)] as const),
  ['Tracker', item.tracker === DEFAULT_TRACKER_NAME ? null : item.tracker],
  ['Created', item.createdAt === null ? null : time(item.createdAt)],
  ['Changed', time(item.changedAt)],
  ['Read', item.fromFile === null ? time(item.fetchedAt) : `from the file ${item.fromFile.name}`],
  ['Revision', item.rev],
])}</section>`
}

function path(text: string): Html | null {
  return text === '' ? null : html`<span title="${text}">${lastPart(text)}</span>`
}

/** In place of the facts: the same as inputs. Only what is changed is sent, so that no edit of others is lost. */
export async function editForm(request: PageRequest, item: Item): Promise<Html> {
  const known = await readKnownValues(request, { tracker: item.tracker, types: [item.type] })
  const title = { name: 'updates.Title[value]', label: 'Title', value: item.title }
  const hidden = { itemIds: item.id, next: itemPath(item.id) }
  return html`<section id="facts" class="card" aria-label="Facts"><form method="post" action="/console/run/items.batch-update">${hiddenFields(hidden)}
${inputs('items.batch-update', [title, ...fieldInputs(request, known, item, { empty: '' })], { onlyChanges: true })}
${peopleList(known)}<p class="error" role="alert"></p>
<div class="bar"><button type="submit">Save</button> <button type="submit" class="quiet" name="dryRun" value="true">Preview</button> <a class="button quiet" href="${itemPath(item.id)}">Cancel</a></div></form><div class="answer"></div></section>`
}

export function nameOfItem(item: { type: string; reference: string }): string {
  return `${item.type} ${itemName(item)}`
}
