import type { ResultOf } from '../../../catalog'
import { describeDetention, describeStay, nameLoad, namePlace } from '../../../docks'
import { facts } from '../../components/facts'
import type { ConsolePage } from '../../console-page'
import { formatLocal } from '../../facility-dates'
import { detailsForm } from '../../forms/details-form'
import { operationForm } from '../../forms/operation-form'
import { type Html, html, table } from '../../html'
import { appointmentPath, facilityPath, trailerPath } from './facility-path'
import { freePlaces } from './yard'

type Trailer = ResultOf<'yard.get'>

/** A trailer with its steps, and the forms with which the staff moves it. */
export const trailerPage: ConsolePage = {
  section: 'docks',
  access: { docks: 'viewer' },
  async render({ run, params, may }) {
    const trailer = await run('yard.get', { id: params['id']! })
    const { number, facilityCode } = trailer
    const mayChange = await may('yard.move')
    const yard = mayChange && trailer.leftAt === null ? await run('yard.board', { id: trailer.facilityId }) : null
    return {
      title: `Trailer ${number}`,
      body: html`<h1>Trailer ${number}</h1>
<div class="bar"><a class="button quiet" href="${facilityPath(facilityCode, '/yard')}">Yard of ${facilityCode}</a></div>
${trailerFacts(trailer)}
${mayChange ? forms(trailer, yard) : ''}
${historyOf(trailer)}
<p class="legend">Times in ${trailer.timeZone}</p>`,
    }
  },
}

function trailerFacts(trailer: Trailer): Html {
  const { timeZone, arrivedAt, leftAt, appointmentId, referenceNumber } = trailer
  return facts([
    ['Place', namePlace(trailer)],
    ['Carrier', trailer.carrierName],
    ['Load', nameLoad(trailer)],
    ['Appointment', referenceNumber && html`<a href="${appointmentPath(appointmentId!)}">${referenceNumber}</a>`],
    ['Arrived', formatLocal(arrivedAt, timeZone)],
    ['Left', leftAt && formatLocal(leftAt, timeZone)],
    ['Stay', describeStay(trailer)],
    ['Detention', describeDetention(trailer)],
    ['Note', trailer.note],
  ])
}

/** @param yard null for a trailer that has left */
function forms(trailer: Trailer, yard: ResultOf<'yard.board'> | null): Html {
  const { id, number, facilityCode, steps } = trailer
  const hidden = { id, next: trailerPath(id) }
  const yardHidden = { id, next: facilityPath(facilityCode, '/yard') }
  const isOnlyArrival = steps.filter(({ undoneAt }) => undoneAt === null).length === 1
  const undo = operationForm('yard.undo', {
    hidden: isOnlyArrival ? yardHidden : hidden,
    word: 'Undo the last step',
    quiet: true,
    confirm: isOnlyArrival ? `Remove the trailer ${number}, as if it had not arrived?` : undefined,
  })
  if (yard === null) return html`<div class="bar">${undo}</div>`
  const known = { ...trailer, appointment: trailer.referenceNumber }
  return html`${detailsForm('Move', 'yard.move', { hidden, fields: [...freePlaces(yard), { name: 'loaded', empty: 'unchanged' }, 'at'] })}
${detailsForm('Correct', 'yard.update', { hidden, fields: ['number', 'carrierName', 'loaded', 'appointment', 'note'], values: known, onlyChanges: true, word: 'Save' })}
${detailsForm('Record the departure', 'yard.leave', { hidden: yardHidden, fields: ['at'] })}
<div class="bar">${undo}</div>`
}

function historyOf(trailer: Trailer): Html {
  return table(
    'Steps',
    ['When', 'Step', 'Place', 'Load', 'By'],
    trailer.steps.map(
      ({ step, occurredAt, spotName, doorName, loaded, by, undoneAt, undoneBy }) =>
        html`<tr><td class="nowrap">${formatLocal(occurredAt, trailer.timeZone)}</td><td>${step}${undoneAt === null ? '' : ` (undone by ${undoneBy})`}</td><td>${spotName ?? doorName ?? ''}</td><td>${nameLoad({ loaded })}</td><td>${by}</td></tr>`,
    ),
  )
}
