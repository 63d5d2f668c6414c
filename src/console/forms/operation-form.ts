import type { OperationId } from '../../kernel'
import { type Html, html } from '../html'
import type { Fields } from './form'
import { hiddenFields } from './hidden-fields'
import { mayRun } from './rights'
import { type FormOptions, type InputField, inputs, write } from './schema-inputs'

export interface OperationForm extends FormOptions {
  /** On its button. */
  word: string
  /** For those who hear the button without what is around it. */
  about?: string
  /** A second button that runs an operation with the same fields, and with `slot` if it asks for one. */
  also?: { operation: OperationId; word: string; about?: string; slot?: string }
  /** Whether its button is one of many. */
  quiet?: boolean
  hidden?: Fields
  fields?: readonly (string | InputField)[]
  /** What is above its fields. */
  head?: Html
  className?: 'bar' | 'card'
  inColumns?: true
  /** The path of the pages that it is for. */
  root?: '/console' | '/portal'
  /** The question before it is sent. */
  confirm?: string | undefined
}

/**
 * A form that runs an operation, with the inputs of its schema, a button, and a place for what was wrong. Empty for a caller who may not run
 * the operation.
 */
export async function operationForm(
  id: OperationId,
  {
    word,
    about,
    also,
    quiet,
    hidden = {},
    fields = [],
    head,
    className,
    inColumns,
    root = '/console',
    confirm,
    ...form
  }: OperationForm,
): Promise<Html> {
  if (!(await mayRun(id))) return html``
  const shown = inputs(id, fields, form)
  const second =
    also &&
    (await mayRun(also.operation)) &&
    html` <button${write({ type: 'submit', class: 'quiet', formaction: `${root}/run/${also.operation}`, 'aria-label': also.about, name: also.slot && 'slot', value: also.slot })}>${also.word}</button>`
  return html`<form${write({ class: className, method: 'post', action: `${root}/run/${id}`, 'data-confirm': confirm })}>${head}${hiddenFields(hidden)}
${inColumns ? html`<div class="columns">${shown}</div>` : shown}
<p class="error" role="alert"></p><button${write({ type: 'submit', class: quiet ? 'quiet' : null, 'aria-label': about })}>${word}</button>${second || ''}</form>`
}
