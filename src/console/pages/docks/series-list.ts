import type { ResultOf } from '../../../catalog'
import { badge } from '../../components/badge'
import { empty } from '../../components/page-head'
import type { ConsolePage } from '../../console-page'
import { detailsForm } from '../../forms/details-form'
import { operationForm } from '../../forms/operation-form'
import type { InputField } from '../../forms/schema-inputs'
import { type Html, html, number, table } from '../../html'
import { facilityHead } from './facility-head'
import { facilityPath, seriesPath } from './facility-path'
import { loadInputs } from './load-inputs'

type Facility = ResultOf<'facilities.get'>
type Series = ResultOf<'series.list'>[number]

/** The series of a facility: appointments that repeat every week or every other week. */
export const seriesListPage: ConsolePage = {
  section: 'docks',
  access: { docks: 'viewer' },
  async render({ run, params }) {
    const facility = await run('facilities.get', { id: params['code']! })
    const { id: facilityId, code, timeZone } = facility
    const series = await run('series.list', { facilityId })
    const hidden = { facilityId, next: facilityPath(code, '/series') }
    const due = operationForm('series.materialize', { hidden, word: 'Book the dates that are due', quiet: true })
    const create = detailsForm('Create a series', 'series.create', {
      hidden: { facilityId },
      fields: [
        { name: 'type', label: 'Type' },
        'referencePrefix',
        'firstDate',
        ...termFields(facility),
        ...loadInputs(facility),
      ],
      inColumns: true,
    })
    return {
      title: `Series of ${code}`,
      body: html`${facilityHead(facility, '/series', series.length === 0 ? [] : [due])}
${series.length === 0 ? empty('There is no series yet. A series books the same slot every week or every other week.', create) : html`${list(series, facility)}${create}`}
<p class="legend">Times in ${timeZone}</p>`,
    }
  },
}

const holidayTexts = { skip: 'no appointment', 'next-open-day': 'on the next open day' }

/** What a series says of each of its dates. */
export function termFields({ doors }: Facility): (string | InputField)[] {
  const door = {
    name: 'doorId',
    label: 'Door',
    choices: doors.map(({ id, name }) => [id, name] as const),
    empty: 'any',
  }
  return [
    'carrierName',
    'lane',
    'days[]',
    { name: 'everyWeeks', label: 'Every how many weeks' },
    { name: 'startTime', label: 'Start' },
    door,
    'durationMinutes',
    'lastDate',
    { name: 'holidayPolicy', label: 'On closed dates', texts: holidayTexts },
    'aheadDays',
  ]
}

function list(series: readonly Series[], { doors }: Facility): Html {
  return table(
    'Series',
    ['Carrier', 'Dates', 'Days', 'Start', 'Door', 'Type', 'Until', number('Days ahead'), 'Lane'],
    series.map(({ id, carrierName, lane, type, doorId, lastDate, aheadDays, refused, ...when }) => {
      const door = doors.find((each) => each.id === doorId)?.name ?? 'any'
      const dates = refused === 0 ? badge('good', 'all have a slot') : badge('bad', `${refused} without a slot`)
      return html`<tr><th scope="row"><a href="${seriesPath(id)}">${carrierName}</a></th><td class="nowrap">${dates}</td><td class="nowrap">${describeDays(when)}</td><td>${when.startTime}</td><td class="nowrap">${door}</td>
<td>${type}</td><td class="nowrap">${lastDate ?? 'no end'}</td><td class="number">${aheadDays}</td><td>${lane ?? ''}</td></tr>`
    }),
  )
}

export function describeDays({ days, everyWeeks }: Pick<Series, 'days' | 'everyWeeks'>): string {
  return `${days.join(' ')}${everyWeeks === 1 ? '' : `, every ${everyWeeks} weeks`}`
}
