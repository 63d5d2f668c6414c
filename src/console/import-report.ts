import type { ResultOf } from '../catalog'
import { pluralize } from '../kernel/text/text'
import { formatLocal } from './facility-dates'
import type { Fields } from './forms/form'
import { operationForm } from './forms/operation-form'
import { type Html, html, number, table } from './html'
import { appointmentPath, trailerPath } from './pages/docks/facility-path'

type Report = ResultOf<'appointments.import'>

const MAX_ROWS = 500

/** What became of each row of an import, the refused ones first. A preview has the form that books them. */
export function renderImportReport(report: Report, fields: Fields): Html {
  const { rows, imported, moved, importedBefore, refused, dryRun } = report
  const [verb, refusal] = dryRun ? ['would be booked', 'would be refused'] : ['booked', 'refused']
  const shown = [...rows].sort((a, b) => Number(b.code !== null) - Number(a.code !== null)).slice(0, MAX_ROWS)
  return html`<section class="card wide" aria-label="Rows">
<p>${pluralize(imported, 'row')} ${verb}, ${moved} of them at another time than requested; ${importedBefore} imported before; ${refused.length} ${refusal}.</p>
${table(
  'Rows',
  [number('Line'), 'Reference', 'Outcome', 'Start', 'Door', 'Why'],
  shown.map(
    ({ line, referenceNumber, outcome, id, startTime, timeZone, doorName, message }) =>
      html`<tr><td class="number">${line}</td><td>${id === null ? referenceNumber : html`<a href="${appointmentPath(id)}">${referenceNumber}</a>`}</td><td>${outcome.replaceAll('_', ' ')}</td><td>${startTime === null ? '' : formatLocal(startTime, timeZone!)}</td><td>${doorName}</td><td>${message}</td></tr>`,
  ),
)}
${rows.length > shown.length ? html`<p>And ${rows.length - shown.length} more.</p>` : ''}
${
  dryRun
    ? operationForm('appointments.import', { hidden: { ...fields, dryRun: undefined }, word: 'Book these rows' })
    : ''
}</section>`
}

type TrailerReport = ResultOf<'yard.import'>

/** What became of each trailer of a file, the refused ones first. A preview has the form that stores them. */
export function renderTrailerReport({ rows, arrived, refused, dryRun }: TrailerReport, fields: Fields): Html {
  const shown = [...rows].sort((a, b) => Number(b.code !== null) - Number(a.code !== null)).slice(0, MAX_ROWS)
  return html`<section class="card wide" aria-label="Rows">
<p>${pluralize(arrived, 'trailer')} ${dryRun ? 'would be recorded' : 'recorded'} as arrived, ${refused} refused, ${rows.length - arrived - refused} left as they are.</p>
${table(
  'Rows',
  [number('Line'), 'Trailer', 'Outcome', 'Why'],
  shown.map(
    ({ line, number: name, outcome, id, message }) =>
      html`<tr><td class="number">${line}</td><td>${id === null ? name : html`<a href="${trailerPath(id)}">${name}</a>`}</td><td>${outcome.replaceAll('_', ' ')}</td><td>${message}</td></tr>`,
  ),
)}
${rows.length > shown.length ? html`<p>And ${rows.length - shown.length} more.</p>` : ''}
${dryRun ? operationForm('yard.import', { hidden: { ...fields, dryRun: undefined }, word: 'Record these trailers' }) : ''}</section>`
}
