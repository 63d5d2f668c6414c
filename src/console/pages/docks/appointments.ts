import type { Operations, ResultOf } from '../../../catalog'
import { pluralize } from '../../../kernel/text/text'
import { appointmentState } from '../../components/badge'
import { menu } from '../../components/menu'
import { empty } from '../../components/page-head'
import type { ConsolePage, PageRequest } from '../../console-page'
import { formatLocal } from '../../facility-dates'
import { detailsForm } from '../../forms/details-form'
import { operationForm } from '../../forms/operation-form'
import { type InputField, inputs } from '../../forms/schema-inputs'
import { type Html, html, number, table } from '../../html'
import { facilityHead } from './facility-head'
import { appointmentPath, facilityPath } from './facility-path'
import { reasonInputs } from './load-inputs'

type Appointment = ResultOf<'appointments.list'>[number]
type Facility = ResultOf<'facilities.get'>

const MAX_ROWS = 200

const filters: InputField[] = [
  { name: 'startDate', label: 'From' },
  { name: 'endDate', label: 'To' },
  { name: 'referenceNumber', label: 'Reference' },
  { name: 'carrierName', label: 'Carrier' },
  { name: 'equipmentId', label: 'Equipment' },
  { name: 'status', label: 'State', empty: 'any' },
  { name: 'type', label: 'Type', empty: 'both' },
]

/** The appointments of a facility, as chosen by dates, reference, carrier, equipment and state. */
export const appointmentsPage: ConsolePage = {
  section: 'docks',
  access: { docks: 'viewer' },
  async render(request) {
    const { run, runList, params, query } = request
    const facility = await run('facilities.get', { id: params['code']! })
    const given = takeFilters(query)
    const input = { facilityId: facility.id, ...given } as Operations['appointments.list']['input']
    const { entries, total } = await runList('appointments.list', input, MAX_ROWS)
    const here = facilityPath(facility.code, '/appointments')
    return {
      title: `Appointments of ${facility.code}`,
      body: html`${facilityHead(facility, '/appointments', await headActions(facility, request))}
<form class="bar" method="get" action="${here}" role="search">
${inputs('appointments.list', filters, { values: given, inRow: true })}
<button type="submit">Show</button>${Object.keys(given).length === 0 ? '' : html` <a class="button quiet" href="${here}">Today</a>`}</form>
<p role="status">${total > entries.length ? `The first ${entries.length} of ` : ''}${pluralize(total, 'appointment')}</p>
${entries.length === 0 ? empty('No appointment is like this. Without dates, those of today are listed; a reference is looked up on all dates.') : list(entries)}
${swapForm(entries, facility, request)}
<p class="legend">Times in ${facility.timeZone}</p>`,
    }
  },
}

/** The appointments of all facilities that have a reference, a carrier or an equipment number. */
export const findPage: ConsolePage = {
  section: 'docks',
  access: { docks: 'viewer' },
  async render({ run, query }) {
    const given = takeFilters(query)
    const found = await run('appointments.find', given as Operations['appointments.find']['input'])
    const entries = found.slice(0, MAX_ROWS)
    return {
      title: 'Find an appointment',
      body: html`<h1>Find an appointment</h1>
<form class="bar" method="get" action="/console/appointments" role="search">
${inputs('appointments.find', filters, { values: given, inRow: true })}
<button type="submit">Find</button></form>
<p role="status">${found.length > entries.length ? `The first ${entries.length} of ` : ''}${pluralize(found.length, 'appointment')} at all facilities</p>
${entries.length === 0 ? empty('No appointment is like this. Without dates, a reference is looked up on all dates, a carrier and an equipment number on the next 31, and all else today.') : list(entries, true)}`,
    }
  },
}

function takeFilters(query: Record<string, string>): Record<string, string> {
  return Object.fromEntries(filters.flatMap(({ name }) => (query[name] ? [[name, query[name]]] : [])))
}

function list(entries: readonly Appointment[], hasFacility = false): Html {
  return table(
    'Appointments',
    [
      'Start',
      ...(hasFacility ? ['Facility'] : []),
      'Door',
      'Reference',
      'Carrier',
      'Type',
      'State',
      number('Pallets'),
      'Equipment',
    ],
    entries.map(
      (appointment) =>
        html`<tr><td class="nowrap">${formatLocal(appointment.startTime, appointment.timeZone)}</td>${hasFacility ? html`<td><a href="${facilityPath(appointment.facilityCode)}">${appointment.facilityCode}</a></td>` : ''}<td class="nowrap">${appointment.doorName}</td>
<th scope="row"><a href="${appointmentPath(appointment.id)}">${appointment.referenceNumber}</a></th><td>${appointment.carrierName}</td><td>${appointment.type}</td>
<td class="nowrap">${appointmentState(appointment)}</td><td class="number">${appointment.palletCount ?? ''}</td><td>${appointment.equipmentId ?? ''}</td></tr>`,
    ),
  )
}

/** Book is a button, what is rarer is in a menu. */
async function headActions({ code }: Facility, { may, url: next }: PageRequest): Promise<Html> {
  const link = (page: string, text: string) => html`<a href="${facilityPath(code, page)}">${text}</a>`
  const rare = [
    ...((await may('appointments.import')) ? [link('/import', 'Import from a file')] : []),
    ...((await may('facilities.accept-plan')) ? [link('/plan', 'Plan the day')] : []),
    ...((await may('appointments.clear')) ? [link('/clear', 'Clear a day')] : []),
    ...((await may('appointments.remind'))
      ? [
          operationForm('appointments.remind', {
            hidden: { next },
            word: 'Send the reminders that are due',
            quiet: true,
          }),
        ]
      : []),
  ]
  return html`${(await may('appointments.book')) ? html`<a class="button" href="${facilityPath(code, '/book')}" data-dialog>Book</a>` : ''}
${rare.length === 0 ? '' : menu('More', rare)}`
}

/** Exchanges the slots of two appointments of the list that have not started. */
function swapForm(
  entries: readonly Appointment[],
  facility: Facility,
  { now, url: next }: PageRequest,
): Html | Promise<Html> | '' {
  const open = entries.filter(({ status, startTime }) => status === 'scheduled' && Date.parse(startTime) > now)
  if (open.length < 2) return ''
  const choices = open.map(
    ({ id, referenceNumber, startTime, doorName }) =>
      [id, `${referenceNumber}: ${formatLocal(startTime, facility.timeZone)}, ${doorName}`] as const,
  )
  return detailsForm('Swap two appointments', 'appointments.swap', {
    hidden: { next },
    fields: [
      { name: 'id', label: 'Appointment', choices },
      { name: 'otherId', label: 'Takes the slot of, and the other way round', choices, value: choices[1]![0] },
      ...reasonInputs(facility, 'rescheduled'),
    ],
    word: 'Swap',
  })
}
