import type { ResultOf } from '../../catalog'
import { formatState, listLoadFacts, loadKeys, stepNames } from '../../docks'
import type { ConsolePage } from '../console-page'
import { localDate } from '../facility-dates'
import { type Html, html, table } from '../html'
import { inputs } from '../schema-inputs'
import { placeFields } from './book'
import { facilityPath } from './facility-path'

type Appointment = ResultOf<'appointments.get'>

/** An appointment with the visit of its truck, and what can be done with it. */
export const appointmentPage: ConsolePage = {
  section: 'docks',
  access: 'tenant',
  async render({ run, params }) {
    const id = params['id']!
    const appointment = await run('appointments.get', { id })
    const [facility, history] = await Promise.all([
      run('facilities.get', { id: appointment.facilityId }),
      run('appointments.history', { id }),
    ])
    const { referenceNumber, timeZone, startTime, status } = appointment
    const date = localDate(startTime, timeZone)
    const next = `${facilityPath(facility.code)}?date=${date}`
    const hidden = html`<input type="hidden" name="id" value="${id}"><input type="hidden" name="next" value="${next}">`
    return {
      title: referenceNumber,
      body: html`<h1>${referenceNumber}</h1>
${facts(appointment)}
${truckForms(appointment, hidden)}
${status === 'scheduled' ? changes(appointment, facility, { date, hidden }) : ''}
${historyOf(history)}
<p><a href="${next}">Board of ${facility.code}</a></p>`,
    }
  },
}

function facts(appointment: Appointment): Html {
  const { type, startTime, endTime, doorName, facilityName, carrierName, timeZone, visit } = appointment
  const local = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone })
  const minutes = (length: number | null) => (length === null ? null : `${length} minutes`)
  const rows: [string, string | number | null][] = [
    ['Status', formatState(appointment)],
    ['Type', type],
    ['Carrier', carrierName],
    ['Start', local.format(new Date(startTime))],
    ['End', local.format(new Date(endTime))],
    ['Door', `${doorName}, ${facilityName}`],
    ...listLoadFacts(appointment),
    ['Arrival', visit.arrival?.replaceAll('_', ' ') ?? null],
    ['Driver', visit.driverName],
    ['License plate', visit.licensePlate],
    ['Seal', visit.sealNumber],
    ['Waited for the door', minutes(visit.waitMinutes)],
    ['At the door', minutes(visit.turnMinutes)],
    ['On the site', minutes(visit.dwellMinutes)],
  ]
  const known = rows.filter(([, value]) => value !== null)
  return html`<dl class="facts">${known.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`
}

type Step = Appointment['nextSteps'][number]

/** What the truck may do next. Arrivals and absences need more than a button. */
function truckForms({ nextSteps, visit, status, referenceNumber }: Appointment, hidden: Html): Html {
  const buttons = nextSteps.filter((step) => !isAbsence(step) && step !== 'checked_in')
  const taken = visit.steps.at(-1)
  const ask = `Cancel the appointment ${referenceNumber}?`
  return html`${nextSteps.includes('checked_in') ? checkInForm(hidden) : ''}
<div class="bar">${buttons.map((step) => button('appointments.step', { hidden, step, word: capitalize(stepNames[step]) }))}
${taken ? button('appointments.undo-step', { hidden, word: `Undo: ${stepNames[taken.step]}` }) : ''}
${status === 'completed' && !taken ? button('appointments.reopen', { hidden, word: 'Reopen' }) : ''}
${status === 'scheduled' ? button('appointments.cancel', { hidden, word: 'Cancel appointment', ask }) : ''}</div>
${nextSteps.filter(isAbsence).map((step) => absenceForm(step, hidden))}`
}

function isAbsence(step: Step): boolean {
  return step === 'no_show' || step === 'turned_away'
}

function button(
  operation: string,
  { hidden, step, word, ask }: { hidden: Html; word: string; step?: Step; ask?: string },
): Html {
  return html`<form method="post" action="/console/run/${operation}"${ask ? html` data-confirm="${ask}"` : ''}>${hidden}
${step ? html`<input type="hidden" name="step" value="${step}">` : ''}<p class="error" role="alert"></p><button type="submit" class="quiet">${word}</button></form>`
}

function checkInForm(hidden: Html): Html {
  return html`<details><summary>Check in</summary>
<form method="post" action="/console/run/appointments.check-in">${hidden}
${inputs('appointments.check-in', ['driverName', 'licensePlate', 'sealNumber', { name: 'at', label: 'Arrived at' }, 'note'])}
<p class="error" role="alert"></p><button type="submit">Check in</button></form></details>`
}

function absenceForm(step: Step, hidden: Html): Html {
  const word = capitalize(stepNames[step])
  const reason = { name: 'note', label: 'Reason', attributes: { required: true } }
  const release = { name: 'release', label: 'Cancel the appointment, so that its slot is free' }
  return html`<details><summary>${word}</summary>
<form method="post" action="/console/run/appointments.step">${hidden}<input type="hidden" name="step" value="${step}">
${inputs('appointments.step', [step === 'turned_away' ? reason : 'note', release], { key: step })}
<p class="error" role="alert"></p><button type="submit">${word}</button></form></details>`
}

function changes(
  appointment: Appointment,
  facility: ResultOf<'facilities.get'>,
  { date, hidden }: { date: string; hidden: Html },
): Html {
  return html`<details><summary>Reschedule</summary>
<form method="post" action="/console/run/appointments.reschedule">${hidden}
${inputs('appointments.reschedule', placeFields(facility, { date }))}
<p class="error" role="alert"></p><button type="submit">Reschedule</button></form></details>
<details><summary>Change the carrier or the load</summary>
<form method="post" action="/console/run/appointments.update">${hidden}
${inputs('appointments.update', ['carrierName', ...loadKeys, 'durationMinutes'], { values: appointment, onlyChanges: true })}
<p class="error" role="alert"></p><button type="submit">Save</button></form></details>`
}

function historyOf(history: ResultOf<'appointments.history'>): Html {
  const local = (at: string, timeZone: string) =>
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(at))
  return html`<details><summary>History</summary>${table(
    'History',
    ['When', 'What', 'By', 'Note'],
    history.map(
      ({ kind, occurredAt, timeZone, by, note }) =>
        html`<tr><td>${local(occurredAt, timeZone)}</td><td>${(stepNames as Record<string, string>)[kind] ?? kind}</td><td>${by}</td><td>${note ?? ''}</td></tr>`,
    ),
  )}</details>`
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
