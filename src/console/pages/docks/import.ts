import type { OperationId } from '../../../kernel'
import type { ConsolePage } from '../../console-page'
import { operationForm } from '../../forms/operation-form'
import { type Html, html } from '../../html'
import { facilityHead } from './facility-head'
import { facilityPath } from './facility-path'

/** Books appointments from a file. */
export const importPage: ConsolePage = {
  section: 'docks',
  access: { docks: 'manager' },
  async render({ run, params }) {
    const facility = await run('facilities.get', { id: params['code']! })
    const { code } = facility
    return {
      title: `Import into ${code}`,
      body: html`${facilityHead(facility, '/appointments')}
<h2>Import appointments</h2>
${importForm('appointments.import', { code, page: '', example: 'type,carrierName,referenceNumber,targetDate', more: ['atomic'] })}`,
    }
  },
}

/** Records the trailers of a file as arrived in the yard. */
export const importTrailersPage: ConsolePage = {
  section: 'docks',
  access: { docks: 'manager' },
  async render({ run, params }) {
    const facility = await run('facilities.get', { id: params['code']! })
    const { code } = facility
    return {
      title: `Import trailers into ${code}`,
      body: html`${facilityHead(facility, '/yard')}
<h2>Import trailers</h2>
${importForm('yard.import', { code, page: '/yard', example: 'number,carrierName,loaded,spotName' })}`,
    }
  },
}

interface Import {
  code: string
  /** The page of the facility that shows what was imported. */
  page: string
  example: string
  more?: readonly string[]
}

const file = html`<label>File <input type="file" data-into="text" accept=".csv,.json,.ndjson,.jsonl,text/csv,application/json"></label>`

/** The first answer is a preview: the outcome of each row, with nothing stored. */
function importForm(operation: OperationId, { code, page, example, more = [] }: Import): Html {
  const rows = { name: 'text', label: 'Rows', rows: 10, attributes: { placeholder: example } }
  const hidden = { facilityCode: code, next: facilityPath(code, page), dryRun: true }
  return html`${operationForm(operation, { head: file, hidden, fields: [rows, ...more], word: 'Preview' })}<div class="answer"></div>`
}
