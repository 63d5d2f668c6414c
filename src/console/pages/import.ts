import type { ConsolePage } from '../console-page'
import { html } from '../html'
import { facilityPath } from './facility-path'

/** Books appointments from a file. The first answer is a preview: the outcome of each row, with nothing booked. */
export const importPage: ConsolePage = {
  section: 'docks',
  access: 'tenant',
  async render({ run, params }) {
    const { code } = await run('facilities.get', { id: params['code']! })
    return {
      title: `Import into ${code}`,
      body: html`<h1>Import into ${code}</h1>
<p>CSV with a header line, a JSON array, or one JSON object per line, with the fields of a booking: type, carrierName, referenceNumber, and targetDate or startTime, such as 2027-03-01T06:00 at the facility.</p>
<form method="post" action="/console/run/appointments.import"><input type="hidden" name="facilityCode" value="${code}">
<input type="hidden" name="next" value="${facilityPath(code)}"><input type="hidden" name="dryRun" value="true">
<label>File <input type="file" data-into="text" accept=".csv,.json,.ndjson,.jsonl,text/csv,application/json"></label>
<label>Rows <textarea name="text" rows="10" required placeholder="type,carrierName,referenceNumber,targetDate"></textarea></label>
<label class="choice"><input type="checkbox" name="atomic" value="true"> Book all rows, or none if one is refused</label>
<p class="error" role="alert"></p><button type="submit">Preview</button></form><div class="answer"></div>
<p><a href="${facilityPath(code)}">Board of ${code}</a></p>`,
    }
  },
}
