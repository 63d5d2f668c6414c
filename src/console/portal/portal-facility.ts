import { loadOperation, type ResultOf } from '../../catalog'
import { placingKeys } from '../../docks'
import { formToValues } from '../../kernel'
import { addDays } from '../facility-dates'
import { operationForm } from '../forms/operation-form'
import { inputs } from '../forms/schema-inputs'
import { type Html, html, table } from '../html'
import { FIRST_FREE, MAKE_ROOM, placeFields } from '../pages/docks/book'
import { loadInputs, referencesInput } from '../pages/docks/load-inputs'
import { type PortalPage, portalFacilityPath } from './portal-call'

/** What decides which slots are free: the date, the type, and the fields of the load that set its length or its door. */
const searched = ['date', 'type', ...placingKeys]

/** The free slots of a date for a load, each with a link that books it. */
export const freeSlotsPage: PortalPage = async ({ run, params, query }) => {
  const search = pick(query, searched)
  const { input } = await loadOperation('facilities.availability')
  const free = await run('facilities.availability', { ...formToValues(input, search), id: params['id']! })
  const here = portalFacilityPath(free.facilityId)
  const day = (shift: number) => `${here}?${new URLSearchParams({ ...search, date: addDays(free.date, shift) })}`
  return {
    title: `Free slots at ${free.facilityCode}`,
    body: html`<h1>Free slots at ${free.facilityCode}</h1>
<form class="bar" method="get" data-auto>
${inputs('facilities.availability', ['date', { name: 'type', empty: 'both' }, ...placingKeys], { values: { ...search, date: free.date }, inRow: true })}
<button type="submit" class="quiet">Show</button>
</form>
<div class="bar"><a class="button quiet" href="${day(-1)}">Day before</a> <a class="button quiet" href="${day(1)}">Day after</a></div>
${free.reasons.map(({ message }) => html`<p>${message}</p>`)}
${free.slots.length === 0 ? '' : slotTable(free, { here, search })}
<p><a href="${here}/waitlist?${new URLSearchParams({ ...search, date: free.date })}">Join the waitlist</a> <a href="/portal">Your appointments</a></p>`,
  }
}

function slotTable(
  { date, slots }: ResultOf<'facilities.availability'>,
  { here, search }: { here: string; search: Record<string, string> },
): Html {
  const address = ({ type, localTime, slotId }: (typeof slots)[number]) =>
    `${here}/book?${new URLSearchParams({ ...search, date, type, at: localTime, slot: slotId })}`
  return table(
    'Free slots',
    ['Start', 'Type', 'Door', 'Action'],
    slots.map(
      (slot) =>
        html`<tr><td>${slot.localTime}</td><td>${slot.type}</td><td class="nowrap">${slot.doorName}</td>
<td><a href="${address(slot)}" aria-label="Book ${slot.localTime}, ${slot.type}">Book</a></td></tr>`,
    ),
  )
}

/** The named fields of a query that are not empty. */
function pick(query: Record<string, string>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (query[name] ? [[name, query[name]]] : [])))
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
  fields: [...(isChosen ? [] : [TYPE]), ...loadFieldsOf(facility), ...place, ...roomFieldsOf(facility)],
  values: { ...pick(query, placingKeys), type, contactEmails: email },
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
  values: { ...pick(query, placingKeys), type, contactEmails: email },
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

/** Only for a carrier whose bookings may make room. */
function roomFieldsOf({ makeRoom, carriers }: ResultOf<'facilities.get'>) {
  return makeRoom !== 'never' && carriers.some((own) => own.makeRoom) ? [MAKE_ROOM] : []
}
