import { diffWordsWithSpace } from 'diff'
import type { ResultOf } from '../catalog'
import { type Html, html } from './html'

/** A longer comparison shows the texts one after the other. */
const MAX_COMPARE_MS = 500

/** The changes that the language model suggests, and the form that saves them. */
export function renderRefinement({ draftId, changes, updatedAt, notice, model }: ResultOf<'drafts.refine'>): Html {
  return html`<section class="card wide" aria-label="Suggested changes"><h3>Suggested by ${model}</h3>
${notice === null ? '' : html`<p>${notice}</p>`}
${changes.length === 0 ? html`<p>It suggests no changes.</p>` : ''}
${changes.map(({ field, before, after }) => html`<h4>${field}</h4><div class="diff">${compare(before ?? '', after)}</div>`)}
<form method="post" action="/console/run/drafts.save"><input type="hidden" name="id" value="${draftId}"><input type="hidden" name="updatedAt" value="${updatedAt}"><input type="hidden" name="next" value="/console/drafts/${draftId}">
${changes.map(
  ({ field, after }) => html`<textarea hidden name="${field}">
${after}</textarea>`,
)}
<p class="error" role="alert"></p>
${changes.length === 0 ? '' : html`<button type="submit">Save these changes</button>`} <a class="button quiet" href="/console/drafts/${draftId}">Discard</a></form></section>`
}

function compare(before: string, after: string): Html[] {
  const parts = diffWordsWithSpace(before, after, { timeout: MAX_COMPARE_MS }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ]
  return parts.map(({ value, added, removed }) => {
    if (added) return html`<ins>${value}</ins>`
    return removed ? html`<del>${value}</del>` : html`${value}`
  })
}
