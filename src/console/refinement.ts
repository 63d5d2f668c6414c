import type { ResultOf } from '../catalog'
import type { StreamEvent } from '../kernel'
import { compareTexts } from './conflicts/compare-texts'
import { hiddenFields } from './forms/hidden-fields'
import { type Html, html } from './html'

/** The changes that the language model suggests, and the form that saves them. */
export function renderRefinement({ draftId, changes, updatedAt, notice, model }: ResultOf<'drafts.refine'>): Html {
  const page = `/console/drafts/${draftId}`
  const texts = Object.fromEntries(changes.map(({ field, after }) => [field, after]))
  const fields = { id: draftId, updatedAt, next: page, ...texts }
  return html`<section class="card wide" aria-label="Suggested changes"><h3>Suggested by ${model}</h3>
${notice === null ? '' : html`<p>${notice}</p>`}
${changes.map(({ field, before, after }) => html`<h4>${fieldNames[field]}</h4><div class="diff">${compareTexts(before ?? '', after)}</div>`)}
<form method="post" action="/console/run/drafts.save">${hiddenFields(fields)}
<p class="error" role="alert"></p>
${changes.length === 0 ? '' : html`<button type="submit">Save these changes</button>`} <a class="button quiet" href="${page}">Discard</a></form></section>`
}

const fieldNames = { title: 'Title', description: 'Description', acceptanceCriteria: 'Acceptance criteria' }

/** What the page shows while the language model works. */
export function describeProgress(part: StreamEvent): { text: string } | { message: string } | null {
  switch (part.event) {
    case 'start':
      return { message: part['loaded'] === false ? `Loading ${part['model']}` : `${part['model']} is writing` }
    case 'token':
      return { text: String(part['text']) }
    case 'retry':
      return { message: 'The answer was not valid. The model is writing it again' }
    default:
      return null
  }
}
