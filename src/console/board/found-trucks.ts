import { formatState } from '../../docks'
import { badge } from '../components/badge'
import type { PageRequest } from '../console-page'
import { formatLocal } from '../facility-dates'
import { operationForm } from '../forms/operation-form'
import { type Html, html } from '../html'
import { appointmentPath } from '../pages/docks/facility-path'
import type { Board } from './extent'

const SHOWN = 10

/** What was typed or scanned at the gate: the appointments with that reference, else those with that trailer, each with its check-in. */
export async function findTrucks(
  { run, now }: Pick<PageRequest, 'run' | 'now'>,
  text: string,
  { facilityId, facilityCode, timeZone }: Board,
  next: string,
): Promise<Html> {
  const byReference = await run('appointments.find', { referenceNumber: text })
  const all = byReference.length > 0 ? byReference : await run('appointments.find', { equipmentId: text })
  const here = all.filter((appointment) => appointment.facilityId === facilityId)
  // The one that is meant is usually that of now.
  const distance = ({ startTime }: (typeof here)[number]) => Math.abs(Date.parse(startTime) - now)
  const nearest = here.sort((a, b) => distance(a) - distance(b)).slice(0, SHOWN)
  return html`<section class="found" aria-labelledby="found"><h2 id="found">${text}</h2>
${nearest.length === 0 ? html`<p>${badge('bad', 'not found')} No appointment at ${facilityCode} has this reference or trailer. Check the text; nothing was changed.</p>` : ''}
${nearest.map(async (appointment, index) => {
  const { id, referenceNumber, carrierName, doorName, startTime } = appointment
  const mayCheckIn =
    appointment.status === 'scheduled' &&
    (appointment.step === null || appointment.step === 'no_show' || appointment.step === 'turned_away')
  return html`<article class="card"><h3><a href="${appointmentPath(id)}" data-dialog>${referenceNumber}</a></h3>
<p>${carrierName}, ${formatLocal(startTime, timeZone)}, <strong>${doorName}</strong> ${badge(mayCheckIn ? 'plain' : 'off', formatState(appointment))}</p>
${
  mayCheckIn
    ? operationForm('appointments.check-in', {
        hidden: { id, next },
        fields: ['driverName', 'licensePlate'],
        word: 'Check in',
        about: `Check in ${referenceNumber}`,
        key: `found-${index}`,
        inRow: true,
        className: 'bar',
      })
    : ''
}</article>`
})}</section>`
}
