import type { ResultOf } from '../../../catalog'
import { placingKeys } from '../../../docks'
import { empty } from '../../components/page-head'
import type { ConsolePage } from '../../console-page'
import { formatLocal } from '../../facility-dates'
import { detailsForm } from '../../forms/details-form'
import { operationForm } from '../../forms/operation-form'
import { type Html, html, table } from '../../html'
import { placeFields } from './book'
import { facilityHead } from './facility-head'
import { facilityPath } from './facility-path'
import { loadInputs, referencesInput } from './load-inputs'

type Hold = ResultOf<'holds.list'>[number]
type Facility = ResultOf<'facilities.get'>

/** The slots that are held while someone decides. `?book=<id>` shows the form that books one. */
export const holdsPage: ConsolePage = {
  section: 'docks',
  access: { docks: 'viewer' },
  async render({ run, params, query, may }) {
    const facility = await run('facilities.get', { id: params['code']! })
    const holds = await run('holds.list', { facilityId: facility.id })
    const here = facilityPath(facility.code, '/holds')
    const chosen = holds.find(({ id }) => id === query['book'])
    const create = detailsForm('Hold a slot', 'holds.create', {
      hidden: { facilityId: facility.id, next: here },
      head: html`<p>Without a start, the first free slot of the date is held.</p>`,
      fields: [
        { name: 'type', label: 'Type' },
        'carrierName',
        ...placeFields(facility, { date: query['date'] ?? '' }),
        'notBefore',
        'notAfter',
        ...placingKeys,
        'holdMinutes',
      ],
      inColumns: true,
    })
    return {
      title: `Holds of ${facility.code}`,
      refreshSeconds: chosen === undefined ? 60 : undefined,
      body: html`${facilityHead(facility, '/holds')}
${chosen === undefined ? '' : confirmForm(chosen, facility, here)}
${holds.length === 0 ? empty('No slot is held. A held slot is free for no one else for some minutes, while a carrier decides.', create) : html`${list(holds, here, await may('holds.confirm'))}${create}`}
<p class="legend">Times in ${facility.timeZone}</p>`,
    }
  },
}

function list(holds: readonly Hold[], here: string, mayBook: boolean): Html {
  return table(
    'Holds',
    ['Start', 'Door', 'Type', 'For', 'Held until', ...(mayBook ? ['Action'] : [])],
    holds.map(({ id, startTime, doorName, type, carrierName, expiresAt, timeZone }) => {
      const slot = `${formatLocal(startTime, timeZone)}, ${doorName}`
      return html`<tr><th scope="row" class="nowrap">${formatLocal(startTime, timeZone)}</th><td class="nowrap">${doorName}</td><td>${type}</td><td>${carrierName ?? ''}</td>
<td class="nowrap">${formatLocal(expiresAt, timeZone)}</td>${
        mayBook
          ? html`<td><div class="bar"><a class="button quiet" href="${here}?${new URLSearchParams({ book: id })}#book" aria-label="Book ${slot}">Book</a>
${operationForm('holds.release', { hidden: { id, next: here }, word: 'Release', about: `Release ${slot}`, quiet: true })}</div></td>`
          : ''
      }</tr>`
    }),
  )
}

function confirmForm({ id, startTime, timeZone, doorName, ...held }: Hold, facility: Facility, here: string): Html {
  return html`<section class="card wide" id="book"><h2>Book ${formatLocal(startTime, timeZone)}, ${doorName}</h2>
${operationForm('holds.confirm', {
  hidden: { id, next: here },
  fields: [
    { name: 'carrierName', attributes: { required: true } },
    'referenceNumber',
    referencesInput('More references'),
    ...loadInputs(facility),
  ],
  values: held,
  inColumns: true,
  word: 'Book',
})}</section>`
}
