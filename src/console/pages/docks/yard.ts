import type { ResultOf } from '../../../catalog'
import { describeDetention, describeStay, listPlaces, nameLoad, summarizeYard } from '../../../docks'
import { empty } from '../../components/page-head'
import type { ConsolePage } from '../../console-page'
import { formatLocal } from '../../facility-dates'
import { detailsForm } from '../../forms/details-form'
import { operationForm } from '../../forms/operation-form'
import { type Html, html, table } from '../../html'
import { facilityHead } from './facility-head'
import { facilityPath, trailerPath } from './facility-path'

type Yard = ResultOf<'yard.board'>
export type Trailer = ResultOf<'yard.list'>[number]

/** The yard of a facility: where each trailer is parked, and what is free. */
export const yardPage: ConsolePage = {
  section: 'docks',
  access: { docks: 'viewer' },
  async render({ run, params, may }) {
    const yard = await run('yard.board', { id: params['code']! })
    const { facilityCode: code, facilityId } = yard
    const hidden = { facilityId, next: facilityPath(code, '/yard') }
    return {
      title: `Yard of ${code}`,
      refreshSeconds: 30,
      body: html`${facilityHead({ code, name: yard.facilityName }, '/yard', (await may('yard.import')) ? html`<a class="button quiet" href="${facilityPath(code, '/yard/import')}">Import from a file</a>` : '')}
<p>${summarizeYard(yard)}</p>
${detailsForm('Record an arrival', 'yard.arrive', { hidden, fields: ['number', 'carrierName', 'appointment', 'loaded', ...freePlaces(yard), 'at', 'note'] })}
${placesTable(yard)}
${(await may('yard.add-spots')) ? spotForms(yard) : ''}
<p class="legend">Doors are listed while a trailer is parked at them. Times in ${yard.timeZone}</p>`,
    }
  },
}

/** Selects of the spots and doors that are free. */
export function freePlaces(yard: Yard) {
  const choicesOf = (places: readonly { name: string; trailer: Trailer | null }[]) =>
    places.filter(({ trailer }) => trailer === null).map(({ name }) => [name, name] as const)
  return [
    { name: 'spotName', label: 'Spot', choices: choicesOf(yard.spots), empty: 'none' },
    { name: 'doorName', label: 'Door', choices: choicesOf(yard.doors), empty: 'none' },
  ]
}

function placesTable(yard: Yard): Html {
  const places = listPlaces<Trailer>(yard)
  if (places.length === 0)
    return empty('The yard has no spots and no trailers yet. Trailers that arrive are listed with their places.')
  return table(
    'Yard',
    ['Place', 'Trailer', 'Carrier', 'Load', 'Reference', 'Arrived', 'Stay', 'Detention', 'Note'],
    places.map(({ name, trailer }) =>
      trailer === null
        ? html`<tr><th scope="row">${name}</th><td colspan="8">free</td></tr>`
        : html`<tr><th scope="row" class="nowrap">${name}</th><td class="nowrap"><a href="${trailerPath(trailer.id)}">${trailer.number}</a></td><td>${trailer.carrierName}</td>
<td>${nameLoad(trailer)}</td><td>${trailer.referenceNumber ?? ''}</td><td class="nowrap">${formatLocal(trailer.arrivedAt, trailer.timeZone)}</td>
<td class="nowrap">${describeStay(trailer)}</td><td class="nowrap">${describeDetention(trailer) ?? ''}</td><td class="wide">${trailer.note ?? ''}</td></tr>`,
    ),
  )
}

function spotForms({ facilityId, facilityCode, spots }: Yard): Html {
  const hidden = { id: facilityId, next: facilityPath(facilityCode, '/yard') }
  const free = spots.filter(({ trailer }) => trailer === null).map(({ name }) => [name, name] as const)
  return html`<details><summary>Spots</summary>
${operationForm('yard.add-spots', { hidden, fields: ['names[lines]'], word: 'Add the spots' })}
${free.length === 0 ? '' : operationForm('yard.remove-spot', { hidden, fields: [{ name: 'name', label: 'Free spot', choices: free }], word: 'Remove the spot', quiet: true })}</details>`
}
