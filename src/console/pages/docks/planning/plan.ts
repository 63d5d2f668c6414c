import type { ResultOf } from '../../../../catalog'
import { badge } from '../../../components/badge'
import type { ConsolePage } from '../../../console-page'
import { formatLocal, localDate } from '../../../facility-dates'
import type { Fields } from '../../../forms/form'
import { operationForm } from '../../../forms/operation-form'
import { type Html, html, table } from '../../../html'
import { facilityHead } from '../facility-head'
import { appointmentPath, facilityPath } from '../facility-path'
import { reasonInputs } from '../load-inputs'

type Plan = ResultOf<'facilities.accept-plan'>

const objectiveTexts = {
  'on-time': 'the least total delay',
  'few-moves': 'the fewest moves',
  'few-doors': 'the fewest doors',
}

/** Plans the rest of a day. The first answer is a preview, of which all or some moves are accepted. */
export const planPage: ConsolePage = {
  section: 'docks',
  access: { docks: 'manager' },
  async render({ run, params, query, now }) {
    const facility = await run('facilities.get', { id: params['code']! })
    const { id, code, timeZone } = facility
    const date = query['date'] || localDate(now, timeZone)
    return {
      title: `Plan a day of ${code}`,
      body: html`${facilityHead(facility, '/appointments')}
<h2>Plan the rest of a day</h2>
<p>Trucks come late or stay too long, and doors fail. The plan moves the appointments that this touches: first to other doors at their own times, then to other times.</p>
${operationForm('facilities.accept-plan', {
  hidden: { id, next: facilityPath(code, `/appointments?startDate=${date}`), dryRun: true },
  fields: [
    { name: 'date', label: 'Date', value: date },
    { name: 'objective', label: 'Keep low first', texts: objectiveTexts, value: 'on-time' },
    ...reasonInputs(facility, 'rescheduled'),
  ],
  inColumns: true,
  word: 'Preview',
})}<div class="answer"></div>`,
    }
  },
}

/** The moves with their reasons. A preview has a form that makes exactly these moves, and one that shows only some of them. */
export function renderPlan(
  { dryRun, timeZone, message, moved, refused, results, unplaced }: Plan,
  fields: Fields,
): Html {
  const local = (at: string) => formatLocal(at, timeZone)
  return html`<section class="card wide" aria-label="Plan">
<p>${dryRun ? message : `${moved} moved, ${refused} refused.`}</p>
${
  results.length === 0
    ? ''
    : table(
        'Moves',
        ['Reference', 'Carrier', 'Booked', 'Door', 'New start', 'New door', 'Why', ...(dryRun ? [] : ['Outcome'])],
        results.map(
          (move) =>
            html`<tr><th scope="row"><a href="${appointmentPath(move.id)}">${move.referenceNumber}</a></th><td>${move.carrierName}</td><td class="nowrap">${local(move.startTime)}</td><td class="nowrap">${move.doorName}</td>
<td class="nowrap">${move.newStartTime === move.startTime ? 'as booked' : local(move.newStartTime)}</td><td class="nowrap">${move.newDoorName}</td><td>${move.message ?? move.reason}${move.together.length > 0 ? ` Together with ${move.together.join(', ')}.` : ''}</td>
${dryRun ? '' : html`<td>${badge(move.outcome === 'moved' ? 'good' : 'bad', move.outcome)}</td>`}</tr>`,
        ),
      )
}
${
  unplaced.length === 0
    ? ''
    : table(
        'No place',
        ['Reference', 'Carrier', 'Booked', 'Door', 'Why there is no place'],
        unplaced.map(
          (one) =>
            html`<tr><th scope="row"><a href="${appointmentPath(one.id)}">${one.referenceNumber}</a></th><td>${one.carrierName}</td><td class="nowrap">${local(one.startTime)}</td><td class="nowrap">${one.doorName}</td><td>${one.reason}</td></tr>`,
        ),
      )
}
${
  dryRun && results.length > 0
    ? html`${operationForm('facilities.accept-plan', { hidden: { ...fields, dryRun: undefined }, word: `Move ${results.length}` })}
${operationForm('facilities.accept-plan', {
  hidden: { ...fields, only: undefined, planId: undefined },
  fields: [
    {
      name: 'only',
      label: 'Only these, with the moves that they need',
      choices: results.map(({ referenceNumber }) => [referenceNumber, referenceNumber]),
      attributes: { required: true, size: Math.min(results.length, 12) },
    },
  ],
  word: 'Preview only these',
})}`
    : ''
}</section>`
}
