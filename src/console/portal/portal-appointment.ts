import type { ResultOf } from '../../catalog'
import { detailsForm } from '../forms/details-form'
import type { Fields } from '../forms/form'
import { operationForm } from '../forms/operation-form'
import { type Html, html } from '../html'
import { appointmentFacts, referenceCode, rescheduleForm } from '../pages/docks/appointment'
import { appointmentValues } from '../pages/docks/appointment-values'
import { attachmentSection } from '../pages/docks/attachments'
import { loadInputs, reasonInputs, referencesInput } from '../pages/docks/load-inputs'
import { type PortalPage, portalAppointmentPath as pathOf } from './portal-call'

type Appointment = ResultOf<'appointments.get'>
type Facility = ResultOf<'facilities.get'>

/** An appointment of the carrier, and how to move, change and cancel it. */
export const portalAppointmentPage: PortalPage = async ({ run, params }) => {
  const id = params['id']!
  const [appointment, attachments] = await Promise.all([
    run('appointments.get', { id }),
    run('attachments.list', { id }),
  ])
  const { referenceNumber, status, facilityId } = appointment
  const facility = status === 'scheduled' ? await run('facilities.get', { id: facilityId }) : null
  return {
    title: referenceNumber,
    body: html`<h1>${referenceNumber}</h1>
${appointmentFacts(appointment)}
${facility === null ? '' : referenceCode(referenceNumber)}
${attachmentSection(attachments, { mayAdd: true, mayRemove: false, root: '/portal' }, { id, next: pathOf(id) })}
${facility === null ? '' : changes(appointment, facility)}
<p><a href="/portal">Your appointments</a></p>`,
  }
}

function changes(appointment: Appointment, facility: Facility): Html {
  const { id, referenceNumber } = appointment
  const hidden: Fields = { id, next: pathOf(id) }
  const form = { root: '/portal', hidden } as const
  return html`${detailsForm('Move', 'appointments.reschedule', { ...form, ...rescheduleForm(appointment, facility) })}
${detailsForm('Change the load', 'appointments.update', { ...form, fields: [referencesInput('References'), ...loadInputs(facility)], values: appointmentValues(appointment), onlyChanges: true, inColumns: true, word: 'Save' })}
${cancelForm(facility, { id, referenceNumber })}`
}

function cancelForm(
  facility: Facility,
  { id, referenceNumber }: { id: string; referenceNumber: string },
): Html | Promise<Html> {
  const form = {
    root: '/portal',
    hidden: { id, next: pathOf(id) },
    confirm: `Cancel the appointment ${referenceNumber}?`,
  } as const
  const reasons = reasonInputs(facility, 'cancelled')
  return reasons.length > 0
    ? detailsForm('Cancel appointment', 'appointments.cancel', { ...form, fields: reasons })
    : html`<div class="bar">${operationForm('appointments.cancel', { ...form, word: 'Cancel appointment', quiet: true })}</div>`
}
