import type { ResultOf } from '../../../catalog'
import { capitalize, pluralize } from '../../../kernel/text/text'
import type { ConsolePage } from '../../console-page'
import { operationForm } from '../../forms/operation-form'
import { type InputField, inputs } from '../../forms/schema-inputs'
import { type Html, html, table } from '../../html'
import { facilityPath } from './facility-path'
import { loadInputs, referencesInput } from './load-inputs'

/** The form that books an appointment: the first free slot of a date, or a chosen one. */
export const bookPage: ConsolePage = {
  section: 'docks',
  access: { docks: 'clerk' },
  async render({ run, params, query }) {
    const facility = await run('facilities.get', { id: params['code']! })
    const { date = '', slot = '', type = 'delivery', at, door } = query
    const place = slot === '' ? placeFields(facility, { date, at, door }) : []
    const next = `${facilityPath(facility.code)}${date && `?date=${date}`}`
    return {
      title: `Book at ${facility.code}`,
      body: html`<h1>Book at ${facility.code}</h1>
<p>${slot === '' ? FIRST_FREE : 'The chosen slot of the availability.'}</p>
${operationForm('appointments.book', {
  hidden: { next, facilityId: facility.id, slotId: slot || undefined },
  fields: [
    { name: 'type', label: 'Type' },
    'carrierName',
    'referenceNumber',
    referencesInput('More references'),
    ...loadInputs(facility),
    ...place,
    ...(facility.makeRoom === 'never' ? [] : [MAKE_ROOM]),
  ],
  values: { type },
  inColumns: true,
  word: 'Book',
})}`,
    }
  },
}

export const MAKE_ROOM = { name: 'makeRoom', label: 'Move others to other doors if no slot is free' }

export const FIRST_FREE = 'Without a start, the first free slot of the date is taken.'

export function placeFields(
  { doors }: ResultOf<'facilities.get'>,
  { date, at, door }: { date?: string | undefined; at?: string | undefined; door?: string | undefined },
): InputField[] {
  const inUse = doors.filter(({ active }) => active)
  const chosen = inUse.find(({ name }) => name === door)?.id
  return [
    { name: 'targetDate', value: date, attributes: { required: true } },
    { name: 'startTime', label: 'Start', value: at, attributes: { type: 'time' } },
    { name: 'doorId', label: 'Door', value: chosen, choices: inUse.map(({ id, name }) => [id, name]), empty: 'any' },
  ]
}

/** The free slots of a date, each with its booking form. */
export const availabilityPage: ConsolePage = {
  section: 'docks',
  access: { docks: 'viewer' },
  async render({ run, params, query, may }) {
    const mayBook = await may('appointments.book')
    const { date, type, minutes } = query
    const given = { id: params['code']!, ...(date ? { date } : {}), ...(minutes ? { minutes: Number(minutes) } : {}) }
    const isType = type === 'pickup' || type === 'delivery'
    const free = await run('facilities.availability', isType ? { ...given, type } : given)
    const here = facilityPath(free.facilityCode)
    return {
      title: `Free slots at ${free.facilityCode}`,
      body: html`<h1>Free slots at ${free.facilityCode}</h1>
<form class="bar" method="get" data-auto>
${inputs('facilities.availability', ['date', { name: 'type', empty: 'both' }, 'minutes'], { values: { ...free, type }, inRow: true })}
<button type="submit" class="quiet">Show</button>
<a class="button quiet" href="${here}?date=${free.date}">Board</a>
</form>
${free.reasons.map(({ message }) => html`<p>${message}</p>`)}
${freeSlots(free, { types: isType ? [type] : types, book: mayBook ? `${here}/book` : null })}`,
    }
  },
}

const types = ['pickup', 'delivery'] as const

/** A row for each start, with the door that each type would get. `book` is the page that books one. */
function freeSlots(
  { date, slots }: ResultOf<'facilities.availability'>,
  { types: shown, book }: { types: readonly (typeof types)[number][]; book: string | null },
): Html {
  const starts = [...new Set(slots.map(({ localTime }) => localTime))]
  const cell = (start: string, type: (typeof types)[number]) => {
    const slot = slots.find((free) => free.localTime === start && free.type === type)
    if (slot === undefined) return html`<td></td>`
    const { doorName, freeDoors, slotId } = slot
    const link =
      book === null
        ? ''
        : html`<a class="button quiet" href="${book}?${new URLSearchParams({ date, type, slot: slotId })}" data-dialog aria-label="Book ${start}, ${type}">Book</a>`
    return html`<td class="nowrap">${link} ${doorName} <span class="soft">${pluralize(freeDoors, 'door')} free</span></td>`
  }
  return table(
    'Free slots',
    ['Start', ...shown.map(capitalize)],
    starts.map(
      (start) => html`<tr><th scope="row" class="nowrap">${start}</th>${shown.map((type) => cell(start, type))}</tr>`,
    ),
  )
}
