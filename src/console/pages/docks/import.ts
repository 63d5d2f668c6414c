import type { ConsolePage } from '../../console-page'
import { operationForm } from '../../forms/operation-form'
import { html } from '../../html'
import { facilityPath } from './facility-path'

const rows = {
  name: 'text',
  label: 'Rows',
  rows: 10,
  attributes: { placeholder: 'type,carrierName,referenceNumber,targetDate' },
}

const file = html`<label>File <input type="file" data-into="text" accept=".csv,.json,.ndjson,.jsonl,text/csv,application/json"></label>`

/** Books appointments from a file. The first answer is a preview: the outcome of each row, with nothing booked. */
export const importPage: ConsolePage = {
  section: 'docks',
  access: { docks: 'manager' },
  async render({ run, params }) {
    const { code } = await run('facilities.get', { id: params['code']! })
    return {
      title: `Import into ${code}`,
      body: html`<h1>Import into ${code}</h1>
${operationForm('appointments.import', { head: file, hidden: { facilityCode: code, next: facilityPath(code), dryRun: true }, fields: [rows, 'atomic'], word: 'Preview' })}<div class="answer"></div>
<p><a href="${facilityPath(code)}">Board of ${code}</a></p>`,
    }
  },
}
