import type { ResultOf } from '../../catalog'
import { addDays } from '../facility-dates'
import { operationForm } from '../forms/operation-form'
import { inputs } from '../forms/schema-inputs'
import { type Html, html, table } from '../html'
import { FIRST_FREE, placeFields } from '../pages/docks/book'
import { loadInputs, referencesInput } from '../pages/docks/load-inputs'
import { type PortalPage, portalFacilityPath } from './portal-call'

/** The free slots of a date, each with a link that books it. */
export const freeSlotsPage: PortalPage = async ({ run, params, query }) => {
  const { date, type } = query
  const isType = type === 'pickup' || type === 'delivery'
  const free = await run('facilities.availability', {
    id: params['id']!,
    ...(date ? { date } : {}),
    ...(isType ? { type } : {}),
  })
  const here = portalFacilityPath(free.facilityId)
  const day = (shift: number) =>
    `${here}?${new URLSearchParams({ date: addDays(free.date, shift), ...(isType && { type }) })}`
  return {
    title: `Free slots at ${free.facilityCode}`,
    body: html`<h1>Free slots at ${free.facilityCode}</h1>
<form class="bar" method="get" data-auto>
<a class="button quiet" href="${day(-1)}" aria-label="Day before">◀</a>
${inputs('facilities.availability', ['date', { name: 'type', empty: 'both' }], { values: { ...free, type }, inRow: true })}
<button type="submit" class="quiet">Show</button>
<a class="button quiet" href="${day(1)}" aria-label="Day after">▶</a>
</form>
${free.reasons.map(({ message }) => html`<p>${message}</p>`)}
${free.slots.length === 0 ? '' : slotTable(free, here)}
<p><a href="${here}/waitlist?date=${free.date}">Join the waitlist</a> <a href="/portal">Your appointments</a></p>`,
  }
}

function slotTable({ date, slots }: ResultOf<'facilities.availability'>, here: string): Html {
  return table(
    'Free slots',
    ['Start', 'Type', 'Door', 'Action'],
    slots.map(
      ({ localTime, type, doorName, slotId }) =>
        html`<tr><td>${localTime}</td><td>${type}</td><td class="nowrap">${doorName}</td>
<td><a href="${here}/book?${new URLSearchParams({ date, type, at: localTime, slot: slotId })}" aria-label="Book ${localTime}, ${type}">Book</a></td></tr>`,
    ),
  )
}

/** The form that books the first free slot of a date, or a chosen one. */
export const portalBookPage: PortalPage = async ({ run, params, query, carrier, email }) => {
  const facility = await run('facilities.get', { id: params['id']! })
  const { date = '', slot = '', type = 'delivery', at = '' } = query
  const isChosen = slot !== ''
  const place = isChosen ? [] : placeFields(facility, { date })
  return {
    title: `Book at ${facility.code}`,
    body: html`<h1>Book at ${facility.code} ${facility.name}</h1>
<p>${isChosen ? `The ${type} on ${date} at ${at}, local time.` : FIRST_FREE}</p>
${operationForm('appointments.book', {
  root: '/portal',
  hidden: { facilityId: facility.id, carrierName: carrier, ...(isChosen && { slotId: slot, type }) },
  fields: [...(isChosen ? [] : [TYPE]), ...loadFieldsOf(facility), ...place],
  values: { type, contactEmails: email },
  word: 'Book',
})}
${goBack(facility)}`,
  }
}

/** The form that waits for a slot on dates that are full. */
export const joinWaitlistPage: PortalPage = async ({ run, params, query, carrier, email }) => {
  const facility = await run('facilities.get', { id: params['id']! })
  const { date = '', type = 'delivery' } = query
  return {
    title: `Waitlist of ${facility.code}`,
    body: html`<h1>Join the waitlist of ${facility.code} ${facility.name}</h1>
<p>When a slot that fits is free, it is held for you until you accept or decline it here.</p>
${operationForm('waitlist.add', {
  root: '/portal',
  hidden: { facilityId: facility.id, carrierName: carrier, next: '/portal' },
  fields: [
    TYPE,
    ...loadFieldsOf(facility),
    { name: 'targetDate', value: date, attributes: { required: true } },
    'lastDate',
    'notBefore',
    'notAfter',
    'offerMinutes',
  ],
  values: { type, contactEmails: email },
  word: 'Join the waitlist',
})}
${goBack(facility)}`,
  }
}

const TYPE = { name: 'type', label: 'Type' }

function loadFieldsOf(facility: ResultOf<'facilities.get'>) {
  return ['referenceNumber', referencesInput('More references'), ...loadInputs(facility)]
}

function goBack({ id }: { id: string }): Html {
  return html`<p><a href="${portalFacilityPath(id)}">Free slots</a> <a href="/portal">Your appointments</a></p>`
}
