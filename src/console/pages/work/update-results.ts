import type { ResultOf } from '../../../catalog'
import type { OperationId } from '../../../kernel'
import { pluralize } from '../../../kernel/text/text'
import { badge } from '../../components/badge'
import type { Fields } from '../../forms/form'
import { hiddenFields } from '../../forms/hidden-fields'
import { type Html, html, table } from '../../html'
import { itemName, itemPath } from '../item-path'

type Results = ResultOf<'items.batch-update'>
type Result = Results['results'][number]

/** What a change of items would do, with the form that does exactly that; or what became of each, with one for those that failed. */
function renderUpdateResults(operation: OperationId, answer: Results, fields: Fields): Html {
  const { results, dryRun } = answer
  const sent = results.filter((result) => (dryRun ? wouldChange(result) : result.status === 'applied'))
  return html`<section class="card wide outcomes" aria-label="${dryRun ? 'Plan' : 'Results'}"><p>${summarize(answer, sent.length)}</p>
${table(
  'Items',
  ['Item', 'Change', 'Outcome'],
  results.map((result) => row(result, dryRun)),
)}
${answer.linked.length === 0 ? '' : html`<p class="soft">Linked: ${answer.linked.map(({ id, reference, type, title }) => html`<a href="${itemPath(id)}">${type} ${itemName({ reference })}, ${title}</a> `)}</p>`}
${dryRun ? confirmForm(operation, sent.length, fields) : retryForm(operation, results, fields)}</section>`
}

/** Null where everything was done, so that the page of the item follows. */
export function renderUnlessDone(operation: OperationId, answer: Results, fields: Fields): Html | null {
  const isDone = !answer.dryRun && answer.requested === 1 && answer.applied === 1
  return isDone ? null : renderUpdateResults(operation, answer, fields)
}

function wouldChange({ status, changes }: Result): boolean {
  return status === 'notAttempted' && changes.length > 0
}

function summarize({ dryRun, requested, applied, conflicts, rejected, unknown }: Results, changes: number): string {
  const problems = [
    ...(conflicts > 0 ? [`${conflicts} in conflict`] : []),
    ...(rejected > 0 ? [`${rejected} refused`] : []),
    ...(unknown > 0 ? [`${unknown} with an unknown outcome`] : []),
  ]
  const done = dryRun
    ? `${pluralize(changes, 'item')} of ${requested} would change`
    : `${pluralize(applied, 'item')} of ${requested} changed`
  return `${[done, ...problems].join(', ')}.`
}

function row(result: Result, dryRun: boolean): Html {
  const { id, reference, changes, message } = result
  return html`<tr><th scope="row"><a href="${itemPath(id)}">${itemName({ reference })}</a></th>
<td>${changes.map(({ field, from, to }) => html`<div>${field}: <del>${shorten(from)}</del> <span aria-label="becomes">→</span> <ins>${shorten(to)}</ins></div>`)}</td>
<td>${outcome(result, dryRun)}${message === null || (dryRun && wouldChange(result)) ? '' : html` <span>${message}</span>`}</td></tr>`
}

function outcome(result: Result, dryRun: boolean): Html {
  switch (result.status) {
    case 'applied':
      return badge('good', 'changed')
    case 'conflict':
      return badge('bad', 'in conflict')
    case 'rejected':
      return badge('bad', 'refused')
    case 'unknown':
      return badge('warn', 'unknown')
    case 'notAttempted':
      if (dryRun) return wouldChange(result) ? badge('info', 'would change') : badge('off', 'nothing to change')
      return badge('warn', 'not changed')
  }
}

function shorten(value: string | number | boolean | null): string {
  const text = value === null || value === '' ? 'none' : String(value)
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}

function confirmForm(operation: OperationId, count: number, fields: Fields): Html | '' {
  if (count === 0) return html`<p>Nothing would change.</p>`
  return sendForm(operation, { ...fields, dryRun: undefined }, `Change ${pluralize(count, 'item')}`)
}

/** Those that were not changed, with a new plan. */
function retryForm(operation: OperationId, results: readonly Result[], fields: Fields): Html | '' {
  const failed = results.filter(({ status }) => status !== 'applied')
  if (failed.length === 0 || operation !== 'items.batch-update') return ''
  const itemIds = failed.map(({ id }) => id).join(' ')
  const again = { ...fields, itemIds, planId: undefined, dryRun: true }
  return sendForm(operation, again, `Try ${pluralize(failed.length, 'item')} again`)
}

function sendForm(operation: OperationId, fields: Fields, word: string): Html {
  return html`<form method="post" action="/console/run/${operation}">${hiddenFields(fields)}<p class="error" role="alert"></p><button type="submit">${word}</button></form>`
}
