import type { ResultOf } from '../../../../catalog'
import { badge, type Tone } from '../../../components/badge'
import type { ConsolePage } from '../../../console-page'
import { formatLocal, localDate } from '../../../facility-dates'
import type { Fields } from '../../../forms/form'
import { operationForm } from '../../../forms/operation-form'
import { type Html, html, table } from '../../../html'
import { facilityHead } from '../facility-head'
import { appointmentPath, facilityPath } from '../facility-path'
import { reasonInputs } from '../load-inputs'

type Clearing = ResultOf<'appointments.clear'>

const policyTexts = {
  'same-day': 'another door or time of the same day',
  'next-open-day': 'the next open day with a free slot',
  'next-week': 'the same weekday of the next week',
  date: 'the date that follows',
  cancel: 'cancel them',
}

/** Moves or cancels the appointments of a day or of a part of it. The first answer is a preview. */
export const clearPage: ConsolePage = {
  section: 'docks',
  access: { docks: 'manager' },
  async render({ run, params, query, now }) {
    const facility = await run('facilities.get', { id: params['code']! })
    const { id, code, timeZone, doors } = facility
    const date = query['date'] || localDate(now, timeZone)
    return {
      title: `Clear a day of ${code}`,
      body: html`${facilityHead(facility, '/appointments')}
<h2>Clear a day</h2>
<p>The appointments of a date, or of some hours or a door, are moved or cancelled. The preview shows where each one would go.</p>
${operationForm('appointments.clear', {
  hidden: { facilityId: id, next: facilityPath(code, `/appointments?startDate=${date}`), dryRun: true },
  fields: [
    { name: 'date', label: 'Date', value: date },
    { name: 'endDate', label: 'Last date' },
    { name: 'fromTime', label: 'From' },
    { name: 'toTime', label: 'To' },
    { name: 'doorId', label: 'Door', choices: doors.map((door) => [door.id, door.name]), empty: 'all' },
    { name: 'type', label: 'Type', empty: 'both' },
    { name: 'carrierName', label: 'Carrier' },
    { name: 'policy', label: 'Move them to', texts: policyTexts, value: 'next-open-day' },
    { name: 'targetDate', label: 'The date' },
    ...reasonInputs(facility, 'cancelled'),
  ],
  inColumns: true,
  word: 'Preview',
})}<div class="answer"></div>`,
    }
  },
}

const tones: Record<Clearing['results'][number]['outcome'], Tone> = {
  moved: 'good',
  cancelled: 'off',
  refused: 'bad',
  skipped: 'plain',
}

/** What becomes of each appointment. A preview has the form that does it. */
export function renderClearing(
  { dryRun, timeZone, moved, cancelled, refused, skipped, results }: Clearing,
  fields: Fields,
): Html {
  const word = (past: string) => (dryRun ? `would be ${past}` : past)
  const local = (at: string | null) => (at === null ? '' : formatLocal(at, timeZone))
  return html`<section class="card wide" aria-label="Appointments">
<p>${results.length === 0 ? 'No appointment is on these dates.' : `${moved} ${word('moved')}, ${cancelled} ${word('cancelled')}, ${refused} without a free slot, ${skipped} left as they are.`}</p>
${
  results.length === 0
    ? ''
    : table(
        'Appointments',
        ['Reference', 'Carrier', 'Start', 'Door', 'Outcome', 'New start', 'New door', 'Why'],
        results.map(
          ({ id, referenceNumber, carrierName, startTime, doorName, outcome, newStartTime, newDoorName, message }) =>
            html`<tr><th scope="row"><a href="${appointmentPath(id)}">${referenceNumber}</a></th><td>${carrierName}</td><td class="nowrap">${local(startTime)}</td><td class="nowrap">${doorName}</td>
<td>${badge(tones[outcome], outcome)}</td><td class="nowrap">${local(newStartTime)}</td><td>${newDoorName ?? ''}</td><td>${message ?? ''}</td></tr>`,
        ),
      )
}
${
  dryRun && moved + cancelled > 0
    ? operationForm('appointments.clear', {
        hidden: { ...fields, dryRun: undefined },
        word: `Move or cancel ${moved + cancelled}`,
      })
    : ''
}</section>`
}
