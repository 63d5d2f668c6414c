import type { ResultOf } from '../catalog'
import type { OperationId } from '../kernel'
import { pluralize } from '../kernel/text/text'
import { formatLocal } from './facility-dates'
import type { Fields } from './forms/form'
import { operationForm } from './forms/operation-form'
import { type Html, html, table } from './html'
import { appointmentPath } from './pages/docks/facility-path'

/** What a change of a facility would do to its appointments, and the form that makes the change. */
export function renderConsequences(
  operation: OperationId,
  { changed, conflicts, releasedHolds, facility }: ResultOf<'facilities.update'>,
  fields: Fields,
): Html {
  if (!changed) return html`<section class="card wide"><p>Nothing would change.</p></section>`
  return html`<section class="card wide" aria-label="Consequences">
<p>${
    conflicts.length === 0
      ? 'Every scheduled appointment still fits.'
      : `${pluralize(conflicts.length, 'scheduled appointment')} would no longer fit. They are not moved: reschedule or cancel them.`
  }</p>
${
  conflicts.length === 0
    ? ''
    : table(
        'Appointments that would no longer fit',
        ['Start', 'Door', 'Carrier', 'Reference', 'Why'],
        conflicts.map(
          ({ reason, appointment: { id, startTime, doorName, carrierName, referenceNumber } }) =>
            html`<tr><td>${formatLocal(startTime, facility.timeZone)}</td><td>${doorName}</td><td>${carrierName}</td><td><a href="${appointmentPath(id)}">${referenceNumber}</a></td><td>${reason.replaceAll('_', ' ')}</td></tr>`,
        ),
      )
}
${releasedHolds.length === 0 ? '' : html`<p>${pluralize(releasedHolds.length, 'hold')} would end.</p>`}
${operationForm(operation, { hidden: { ...fields, dryRun: undefined }, word: 'Save' })}</section>`
}
