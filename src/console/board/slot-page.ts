import { HOUR_MS } from '../../kernel/time'
import type { ConsolePage } from '../console-page'
import { operationForm } from '../forms/operation-form'
import { html } from '../html'
import { placeFields } from '../pages/docks/book'
import { facilityPath } from '../pages/docks/facility-path'

/** Holds a slot, or blocks hours of a door, at a place of the board: `?do=hold` or `?do=block`. */
export const slotPage: ConsolePage = {
  section: 'docks',
  access: { docks: 'clerk' },
  async render({ run, params, query }) {
    const facility = await run('facilities.get', { id: params['code']! })
    const { date = '', at, door } = query
    const next = `${facilityPath(facility.code)}${date && `?date=${date}`}`
    const title = query['do'] === 'block' ? `Block hours at ${facility.code}` : `Hold a slot at ${facility.code}`
    const doors = facility.doors.map(({ name }) => [name, name] as const)
    return {
      title,
      body: html`<h1>${title}</h1>
${
  query['do'] === 'block'
    ? html`<p>No new appointment overlaps blocked hours. Appointments in them are shown before anything is changed.</p>
${operationForm('facilities.block', {
  hidden: { id: facility.id, next, dryRun: 'true' },
  fields: [
    { name: 'from', value: date && at ? `${date}T${at}` : '' },
    { name: 'to', value: date && at ? oneHourLater(date, at) : '' },
    { name: 'doors[]', choices: doors, attributes: { size: Math.min(doors.length, 8) } },
    'reason',
  ],
  values: { doors: door === undefined ? [] : [door] },
  word: 'Show what it changes',
})}`
    : operationForm('holds.create', {
        hidden: { facilityId: facility.id, next },
        fields: ['type', 'carrierName', ...placeFields(facility, { date, at, door }), 'durationMinutes', 'holdMinutes'],
        values: { type: 'delivery' },
        word: 'Hold',
      })
}
<p><a href="${next}">Board of ${facility.code}</a></p>`,
    }
  },
}

/** A time of the clock, as one types it: no instant. */
function oneHourLater(date: string, at: string): string {
  const later = new Date(Date.parse(`${date}T${at}:00Z`) + HOUR_MS)
  return Number.isNaN(later.getTime()) ? '' : later.toISOString().slice(0, 16)
}
