import type { ResultOf } from '../../../catalog'
import { listLoadFacts, loadQrCode, nameChange, stepNames } from '../../../docks'
import type { OperationId } from '../../../kernel'
import { capitalize } from '../../../kernel/text/text'
import { FIRST_SLOT } from '../../actions/take-slot'
import { appointmentState } from '../../components/badge'
import { facts } from '../../components/facts'
import { pageHead } from '../../components/page-head'
import type { ConsolePage } from '../../console-page'
import { formatLocal, localDate } from '../../facility-dates'
import { detailsForm } from '../../forms/details-form'
import type { Fields } from '../../forms/form'
import { type OperationForm, operationForm } from '../../forms/operation-form'
import type { InputField } from '../../forms/schema-inputs'
import { type Html, html, raw, table } from '../../html'
import { appointmentValues, placeValues } from './appointment-values'
import { attachmentSection } from './attachments'
import { placeFields } from './book'
import { facilityPath } from './facility-path'
import { loadInputs, reasonInputs, referencesInput } from './load-inputs'

type Appointment = ResultOf<'appointments.get'>

/** An appointment with the visit of its truck, and what can be done with it. */
export const appointmentPage: ConsolePage = {
  section: 'docks',
  access: { docks: 'viewer' },
  async render({ run, params, may }) {
    const id = params['id']!
    const appointment = await run('appointments.get', { id })
    const [facility, history, attachments] = await Promise.all([
      run('facilities.get', { id: appointment.facilityId }),
      run('appointments.history', { id }),
      run('attachments.list', { id }),
    ])
    const { referenceNumber, timeZone, startTime, status } = appointment
    const date = localDate(startTime, timeZone)
    const next = `${facilityPath(facility.code)}?date=${date}`
    const mayRecord = await may('appointments.step')
    const hidden = { id, next }
    return {
      title: referenceNumber,
      body: html`${pageHead({ title: referenceNumber, actions: [...(mayRecord ? stepButtons(appointment, hidden) : []), html`<a class="button quiet" href="${next}">Board of ${facility.code}</a>`] })}
${appointmentFacts(appointment)}
${status === 'scheduled' ? referenceCode(referenceNumber) : ''}
${mayRecord ? truckForms(appointment, facility, hidden) : ''}
${status === 'scheduled' && (await may('appointments.reschedule')) ? changes(appointment, facility, hidden) : ''}
${attachmentSection(attachments, { mayAdd: await may('attachments.add'), mayRemove: await may('attachments.remove'), root: '/console' }, { id, next: `/console/appointments/${id}` })}
${historyOf(history)}`,
    }
  },
}

/** The reference as a QR code, which the driver shows to the screen at the gate. */
export async function referenceCode(referenceNumber: string): Promise<Html> {
  const { drawQrSvg } = await loadQrCode()
  return html`<details><summary>QR code for the gate</summary><figure class="code">${raw(drawQrSvg(referenceNumber, referenceNumber))}</figure></details>`
}

export function appointmentFacts(appointment: Appointment): Html {
  const { type, startTime, endTime, doorName, facilityName, carrierName, timeZone, visit, pinned } = appointment
  const local = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone })
  const minutes = (length: number | null) => (length === null ? null : `${length} minutes`)
  return facts([
    ['Status', appointmentState(appointment)],
    ['Type', type],
    ['Carrier', carrierName],
    ['Start', local.format(new Date(startTime))],
    ['End', local.format(new Date(endTime))],
    ['Door', `${doorName}, ${facilityName}${pinned ? ' (pinned)' : ''}`],
    ...listLoadFacts(appointment),
    ['Arrival', visit.arrival?.replaceAll('_', ' ') ?? null],
    ['Driver', visit.driverName],
    ['License plate', visit.licensePlate],
    ['Seal', visit.sealNumber],
    ['Waited for the door', minutes(visit.waitMinutes)],
    ['At the door', minutes(visit.turnMinutes)],
    ['On the site', minutes(visit.dwellMinutes)],
    ['Detention', minutes(visit.detentionMinutes || null)],
  ])
}

type Step = Appointment['nextSteps'][number]

/** What the truck may do next, as far as a button says enough. */
function stepButtons({ nextSteps, visit, status, pinned }: Appointment, hidden: Fields): Promise<Html>[] {
  const taken = visit.steps.at(-1)
  const steps = nextSteps.filter((step) => !isAbsence(step) && step !== 'checked_in')
  const button = (operation: OperationId, word: string, more: Fields = {}, quiet = true) =>
    operationForm(operation, { hidden: { ...hidden, ...more }, word, quiet })
  // The usual next step has the filled button, unless the truck must be checked in first, which needs a form.
  const isUsual = (index: number) => index === 0 && !nextSteps.includes('checked_in')
  return [
    ...steps.map((step, index) => button('appointments.step', capitalize(stepNames[step]), { step }, !isUsual(index))),
    ...(status === 'scheduled'
      ? [button(pinned ? 'appointments.unpin' : 'appointments.pin', pinned ? 'Unpin' : 'Pin to the door')]
      : []),
    ...(taken ? [button('appointments.undo-step', `Undo: ${stepNames[taken.step]}`)] : []),
    ...(status === 'completed' && !taken ? [button('appointments.reopen', 'Reopen')] : []),
  ]
}

/** Arrivals and absences need more than a button. */
function truckForms(
  { nextSteps, visit, timeZone }: Appointment,
  facility: ResultOf<'facilities.get'>,
  hidden: Fields,
): Html {
  const truck = ['driverName', 'licensePlate', 'sealNumber']
  const early = { name: 'early', label: 'It is more than 24 hours early' }
  const arrival = [...truck, { name: 'at', label: `Arrived at (${timeZone})` }, 'note', early]
  const form = { hidden, inColumns: true } as const
  const isCheckedIn = visit.steps.at(-1)?.step === 'checked_in'
  return html`${nextSteps.includes('checked_in') ? detailsForm('Check in', 'appointments.check-in', { ...form, fields: arrival }) : ''}
${isCheckedIn ? detailsForm('Correct the check-in', 'appointments.check-in', { ...form, fields: [...truck, 'note'] }) : ''}
${nextSteps.filter(isAbsence).map((step) => absenceForm(step, facility, hidden))}`
}

function isAbsence(step: Step): step is 'no_show' | 'turned_away' {
  return step === 'no_show' || step === 'turned_away'
}

function absenceForm(
  step: 'no_show' | 'turned_away',
  facility: ResultOf<'facilities.get'>,
  hidden: Fields,
): Promise<Html> {
  const listed = reasonInputs(facility, step)
  const reason = { name: 'note', label: 'Reason', attributes: { required: true } }
  const release = { name: 'release', label: 'Cancel the appointment, so that its slot is free' }
  const fields = [...listed, step === 'turned_away' && listed.length === 0 ? reason : 'note', release]
  return detailsForm(capitalize(stepNames[step]), 'appointments.step', {
    hidden: { ...hidden, step },
    fields,
    key: step,
  })
}

function changes(appointment: Appointment, facility: ResultOf<'facilities.get'>, hidden: Fields): Html {
  const fields = ['carrierName', referencesInput('References'), ...loadInputs(facility), 'durationMinutes']
  return html`${detailsForm('Reschedule', 'appointments.reschedule', { hidden, ...rescheduleForm(appointment, facility) })}
${detailsForm('Change the carrier or the load', 'appointments.update', { hidden, fields, values: appointmentValues(appointment), onlyChanges: true, inColumns: true, word: 'Save' })}
${cancelForm(appointment.referenceNumber, reasonInputs(facility, 'cancelled'), hidden)}`
}

/** It shows the place now. Its second button takes the first free slot of the date. */
export function rescheduleForm(
  appointment: Appointment,
  facility: ResultOf<'facilities.get'>,
): Pick<OperationForm, 'fields' | 'values' | 'onlyChanges' | 'inColumns' | 'also'> {
  return {
    inColumns: true,
    fields: [...placeFields(facility, {}), ...reasonInputs(facility, 'rescheduled')],
    values: placeValues(appointment),
    onlyChanges: true,
    also: { operation: 'appointments.reschedule', word: 'First free slot of this date', slot: FIRST_SLOT },
  }
}

function cancelForm(reference: string, reasons: readonly InputField[], hidden: Fields): Html | Promise<Html> {
  const form = { hidden, confirm: `Cancel the appointment ${reference}?` }
  return reasons.length > 0
    ? detailsForm('Cancel appointment', 'appointments.cancel', { ...form, fields: reasons })
    : html`<div class="bar">${operationForm('appointments.cancel', { ...form, word: 'Cancel appointment', quiet: true })}</div>`
}

function historyOf(history: ResultOf<'appointments.history'>): Html {
  return html`<details><summary>History</summary>${table(
    'History',
    ['When', 'What', 'By', 'Note'],
    history.map(
      ({ kind, occurredAt, timeZone, by, note }) =>
        html`<tr><td>${formatLocal(occurredAt, timeZone)}</td><td>${nameChange(kind)}</td><td>${by}</td><td>${note ?? ''}</td></tr>`,
    ),
  )}</details>`
}
