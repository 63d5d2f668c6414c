import { type AnyOperation, describeField, fieldAt } from '../../kernel'
import type { Fields } from '../forms/form'
import { hiddenFields } from '../forms/hidden-fields'
import { pathOf } from '../forms/shown-text'
import { type Html, html } from '../html'
import { compareTexts } from './compare-texts'
import type { Basis, FieldConflict, OwnChanges } from './own-changes'

export interface ConflictFormOptions {
  root: '/console' | '/portal'
  /** The page that the form leads to, which shows the values now. */
  next: string
  changes: OwnChanges
  basis: Basis
}

/**
 * Both values of each field that somebody else has changed too, and the form that saves the choice. It is based on the values now, so that
 * the next save meets a conflict only if there is another change.
 */
export async function conflictForm(op: AnyOperation, options: ConflictFormOptions): Promise<Html> {
  const { root, next, changes, basis } = options
  const drawn = await Promise.all(changes.conflicts.map((conflict) => fieldset(op, conflict, basis)))
  return html`<form class="card wide" method="post" action="${root}/run/${op.id}">
<h2>Somebody else has changed the same</h2>
<p>Nothing of yours is saved yet. Choose for each field, then save.</p>
${hiddenFields({ ...keptFields(options), next })}
${drawn}
<p class="error" role="alert"></p>
<div class="bar"><button type="submit">Save</button> <a class="button quiet" href="${next}" data-discard>Discard my changes</a></div></form>`
}

/** What the form says besides the fields in conflict: which thing it changes, and what its user has changed there alone. */
function keptFields({ changes: { own, other, conflicts, drawn }, basis }: ConflictFormOptions): Fields {
  const isOpen = (name: string) => conflicts.some((conflict) => conflict.name === name)
  const settled = Object.fromEntries(Object.entries(own).filter(([name]) => !isOpen(name)))
  if (drawn === null) return { ...other, ...basis.version, ...settled }
  // The form was drawn with the values of others where they are the ones that count.
  const based = conflicts.map(({ name, theirs }): [string, string] => [name, theirs])
  const all = Object.entries({ ...drawn, ...Object.fromEntries(based) })
  return {
    ...other,
    ...Object.fromEntries(all.map(([name, text]) => [`drawn.${name}`, text])),
    ...Object.fromEntries(Object.entries(drawn).filter(([name]) => !isOpen(name))),
    ...settled,
  }
}

async function fieldset(op: AnyOperation, conflict: FieldConflict, basis: Basis): Promise<Html> {
  const { name, was, yours, theirs } = conflict
  const path = pathOf(name)
  const field = fieldAt(op.input, path)
  const label = field ? describeField(op, field, path).label : name
  const isLong =
    basis.longTexts?.includes(name) || [was, yours, theirs].some((text) => text.includes('\n') || text.length > 80)
  const choices = isLong ? await mergeChoices(conflict, label) : valueChoices(conflict, basis.texts?.[name] ?? {})
  return html`<fieldset class="conflict"><legend>${label}</legend>${choices}</fieldset>`
}

function valueChoices({ name, yours, theirs }: FieldConflict, texts: Record<string, string>): Html {
  const show = (text: string) =>
    text === '' ? html`<em>empty</em>` : html`<span class="text">${texts[text] ?? text}</span>`
  return html`${hiddenFields({ [name]: yours })}
${radio(name, 'yours', html`Yours: ${show(yours)}`)}
${radio(name, 'theirs', html`Theirs: ${show(theirs)}`)}`
}

/** Comparing two long texts may take this long, because the page waits for it. */
const MAX_COMPARE_MS = 40

/** The two texts, what each has changed, and the result of both, which can be edited. */
async function mergeChoices({ name, was, yours, theirs }: FieldConflict, label: string): Promise<Html> {
  const { mergeTexts } = await import('../../drafts')
  const names = { ours: 'yours', theirs: 'theirs' }
  const versions = { base: was, ours: yours, theirs }
  const isClean = !mergeTexts(versions, { prefer: null, names }).hasConflict
  const result = mergeTexts(versions, { prefer: 'ours', names }).text
  const version = (title: string, text: string) =>
    html`<section><h3>${title}</h3><div class="diff scroll" tabindex="0">${compareTexts(was, text, MAX_COMPARE_MS)}</div></section>`
  return html`<div class="columns">${version('What you have changed', yours)}${version('What somebody else has changed', theirs)}</div>
${hiddenFields({ [`yours.${name}`]: yours })}
<p>${isClean ? 'Both changes fit together.' : 'Both have changed the same lines. The result has yours there: edit it, or choose one of the two texts.'}</p>
<label>${label}: the result <textarea name="${name}" rows="${Math.min(20, Math.max(4, result.split('\n').length + 1))}">\n${result}</textarea></label>
${radio(name, 'result', html`Save the result`, isClean)}
${radio(name, 'yours', html`Save yours`)}
${radio(name, 'theirs', html`Keep theirs`)}`
}

/** Where nothing is chosen before, the browser asks for a choice. */
function radio(name: string, choice: 'yours' | 'theirs' | 'result', text: Html, isChecked = false): Html {
  return html`<label class="choice"><input type="radio" name="choice.${name}" value="${choice}" required${isChecked ? html` checked` : ''}> ${text}</label>`
}
