import type { ConsolePage } from '../console-page'
import { html } from '../html'
import { inputs } from '../schema-inputs'
import { facilityPath } from './facility-path'

const rows = {
  name: 'text',
  label: 'Rows',
  rows: 10,
  attributes: { placeholder: 'type,carrierName,referenceNumber,targetDate' },
}

/** Books appointments from a file. The first answer is a preview: the outcome of each row, with nothing booked. */
export const importPage: ConsolePage = {
  section: 'docks',
  access: 'tenant',
  async render({ run, params }) {
    const { code } = await run('facilities.get', { id: params['code']! })
    return {
      title: `Import into ${code}`,
      body: html`<h1>Import into ${code}</h1>
<form method="post" action="/console/run/appointments.import"><input type="hidden" name="facilityCode" value="${code}">
<input type="hidden" name="next" value="${facilityPath(code)}"><input type="hidden" name="dryRun" value="true">
<label>File <input type="file" data-into="text" accept=".csv,.json,.ndjson,.jsonl,text/csv,application/json"></label>
${inputs('appointments.import', [rows, 'atomic'])}
<p class="error" role="alert"></p><button type="submit">Preview</button></form><div class="answer"></div>
<p><a href="${facilityPath(code)}">Board of ${code}</a></p>`,
    }
  },
}
