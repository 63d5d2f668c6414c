import type { OperationId } from '../../kernel'
import { type Html, html } from '../html'
import { type OperationForm, operationForm } from './operation-form'
import { mayRun } from './rights'

/** A form that is opened by what it does, which is also on its button. */
export async function detailsForm(title: string, operation: OperationId, form: Partial<OperationForm>): Promise<Html> {
  if (!(await mayRun(operation))) return html``
  return html`<details><summary>${title}</summary>
${operationForm(operation, { word: title, ...form })}</details>`
}
