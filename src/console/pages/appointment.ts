import type { ResultOf } from '../../catalog'
import type { ConsolePage } from '../console-page'
import { type Html, html } from '../html'
import { placeFields } from './book'
import { facilityPath } from './facility-path'

/** An appointment, and what can be done with it. */
export const appointmentPage: ConsolePage = {
  path: '/console/appointments/:id',
  section: 'docks',
  access: 'tenant',
  async render({ run, params }) {
    const appointment = await run('appointments.get', { id: params['id']! })
    const facility = await run('facilities.get', { id: appointment.facilityId })
    const { referenceNumber } = appointment
    const date = localDate(appointment.startTime, facility.timeZone)
    const next = `${facilityPath(facility.code)}?date=${date}`
    return {
      title: referenceNumber,
      body: html`<h1>${referenceNumber}</h1>
${facts(appointment, facility.timeZone)}
${appointment.status === 'scheduled' ? changes(appointment, facility, { date, next }) : ''}
<div class="bar">${steps(appointment.status).map(({ operation, word, ask }) => stepButton(appointment, { operation, word, ask, next }))}</div>
<p><a href="${next}">Board of ${facility.code}</a></p>`,
    }
  },
}

function facts(appointment: ResultOf<'appointments.get'>, timeZone: string): Html {
  const { type, status, startTime, endTime, doorName, facilityName, carrierName } = appointment
  const local = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone })
  const rows: [string, string | number | null][] = [
    ['Status', status.replaceAll('_', ' ')],
    ['Type', type],
    ['Carrier', carrierName],
    ['Start', local.format(new Date(startTime))],
    ['End', local.format(new Date(endTime))],
    ['Door', `${doorName}, ${facilityName}`],
    ['Pallets', appointment.palletCount],
    ['Weight', appointment.weight === null ? null : `${appointment.weight} lb`],
    ['Equipment', appointment.equipmentId],
    ['Load', appointment.loadDescription],
  ]
  const known = rows.filter(([, value]) => value !== null)
  return html`<dl class="facts">${known.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
}

function changes(
  { id, carrierName, equipmentId, durationMinutes }: ResultOf<'appointments.get'>,
  facility: ResultOf<'facilities.get'>,
  { date, next }: { date: string; next: string },
): Html {
  const hidden = html`<input type="hidden" name="id" value="${id}"><input type="hidden" name="next" value="${next}">`
  return html`<details><summary>Reschedule</summary>
<form method="post" action="/console/run/appointments.reschedule">${hidden}
${placeFields(facility, { date })}
<p class="error" role="alert"></p><button type="submit">Reschedule</button></form></details>
<details><summary>Change the carrier or the load</summary>
<form method="post" action="/console/run/appointments.update">${hidden}
<label>Carrier <input name="carrierName" required maxlength="200" value="${carrierName}"></label>
<label>Equipment <input name="equipmentId" maxlength="100" value="${equipmentId ?? ''}"></label>
<label>Minutes <input name="durationMinutes" type="number" min="1" value="${durationMinutes}"></label>
<p class="error" role="alert"></p><button type="submit">Save</button></form></details>`
}

interface Step {
  operation: string
  word: string
  /** The question before it is done. */
  ask?: string
}

/** The steps that usually follow a status. The operation decides whether one is possible. */
function steps(status: string): Step[] {
  if (status === 'scheduled')
    return [
      { operation: 'appointments.complete', word: 'Complete' },
      { operation: 'appointments.cancel', word: 'Cancel appointment', ask: 'Cancel the appointment' },
    ]
  return status === 'completed' ? [{ operation: 'appointments.reopen', word: 'Reopen' }] : []
}

function stepButton(
  { id, referenceNumber }: ResultOf<'appointments.get'>,
  { operation, word, ask, next }: Step & { next: string },
): Html {
  return html`<form method="post" action="/console/run/${operation}"${ask ? html` data-confirm="${ask} ${referenceNumber}?"` : ''}>
<input type="hidden" name="id" value="${id}"><input type="hidden" name="next" value="${next}">
<p class="error" role="alert"></p><button type="submit" class="quiet">${word}</button></form>`
}

function localDate(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date(instant))
}
