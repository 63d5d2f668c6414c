import type { ResultOf } from '../../../catalog'
import { listLoadFacts } from '../../../docks'
import { badge, type Tone } from '../../components/badge'
import { facts } from '../../components/facts'
import { empty, pageHead } from '../../components/page-head'
import type { ConsolePage } from '../../console-page'
import { formatLocal, formatWeekday } from '../../facility-dates'
import { detailsForm } from '../../forms/details-form'
import { operationForm } from '../../forms/operation-form'
import { type Html, html, table } from '../../html'
import { placeFields } from './book'
import { facilityTabs } from './facility-head'
import { appointmentPath, seriesPath } from './facility-path'
import { loadInputs, reasonInputs } from './load-inputs'
import { describeDays, termFields } from './series-list'

type Series = ResultOf<'series.get'>
type Occurrence = Series['occurrences'][number]
type Facility = ResultOf<'facilities.get'>

/** A series with its dates. `?date=<date>` shows the forms that move or skip one of them. */
export const seriesPage: ConsolePage = {
  section: 'docks',
  access: { docks: 'viewer' },
  async render({ run, params, query, may }) {
    const series = await run('series.get', { id: params['id']! })
    const facility = await run('facilities.get', { id: series.facilityId })
    const { id, carrierName, lane, occurrences, timeZone } = series
    const hidden = { id, next: seriesPath(id) }
    const chosen = occurrences.find(({ date }) => date === query['date'])
    return {
      title: `Series of ${carrierName}`,
      body: html`${pageHead({ title: lane === null ? carrierName : `${carrierName}: ${lane}` })}
${facilityTabs(facility.code, '/series')}
${seriesFacts(series, facility)}
${chosen === undefined ? '' : dateForms(chosen, facility, hidden)}
<h2>Dates</h2>
${occurrences.length === 0 ? empty('No date is booked yet. Dates are booked some days ahead.') : dates(occurrences, { id, timeZone, mayMove: await may('series.move') })}
${detailsForm('Change the series', 'series.update', {
  hidden,
  fields: [...termFields(facility), ...loadInputs(facility), ...reasonInputs(facility, 'rescheduled')],
  values: series,
  onlyChanges: true,
  inColumns: true,
  word: 'Save',
})}
${detailsForm('End the series', 'series.end', {
  hidden,
  fields: ['lastDate', ...reasonInputs(facility, 'cancelled')],
  confirm: `End the series of ${carrierName}? Its later appointments are cancelled.`,
})}
<p class="legend">Times in ${timeZone}</p>`,
    }
  },
}

function seriesFacts(series: Series, { doors }: Facility): Html {
  const { type, referencePrefix, startTime, doorId, firstDate, lastDate, holidayPolicy, aheadDays, durationMinutes } =
    series
  return facts([
    ['Type', type],
    ['References', `${referencePrefix}-<date>`],
    ['Days', describeDays(series)],
    ['Start', startTime],
    ['Length', durationMinutes && `${durationMinutes} minutes`],
    ['Door', doorId === null ? 'any' : (doors.find(({ id }) => id === doorId)?.name ?? doorId)],
    ['From', firstDate],
    ['Until', lastDate ?? 'no end'],
    ['On closed dates', holidayPolicy === 'skip' ? 'no appointment' : 'on the next open day'],
    ['Booked ahead', `${aheadDays} days`],
    ...listLoadFacts({ ...series, references: [] }),
  ])
}

const looks: Record<Occurrence['outcome'], { tone: Tone; text: string }> = {
  booked: { tone: 'good', text: 'booked' },
  closed: { tone: 'off', text: 'closed' },
  skipped: { tone: 'off', text: 'skipped' },
  refused: { tone: 'bad', text: 'without a slot' },
}

function dates(
  occurrences: readonly Occurrence[],
  { id, timeZone, mayMove }: { id: string; timeZone: string; mayMove: boolean },
): Html {
  return table(
    'Dates',
    ['Date', 'Outcome', 'Start', 'Door', 'Why', ...(mayMove ? ['Action'] : [])],
    occurrences.map((occurrence) => {
      const { date, outcome, status, reason, appointmentId, startTime, doorName } = occurrence
      const isCancelled = outcome === 'booked' && status === 'cancelled'
      const { tone, text } = isCancelled ? { tone: 'off' as const, text: 'cancelled' } : looks[outcome]
      const start = startTime === null ? '' : formatLocal(startTime, timeZone)
      return html`<tr id="date-${date}"><th scope="row" class="nowrap">${formatWeekday(date)}</th><td class="nowrap">${badge(tone, text)}</td>
<td class="nowrap">${appointmentId === null ? start : html`<a href="${appointmentPath(appointmentId)}">${start}</a>`}</td><td class="nowrap">${doorName ?? ''}</td><td>${reason ?? ''}</td>${mayMove ? html`<td>${dateActions(id, occurrence)}</td>` : ''}</tr>`
    }),
  )
}

/** A date that is skipped still names the appointment that was cancelled for it. */
function hasSlot({ outcome, status }: Pick<Occurrence, 'outcome' | 'status'>): boolean {
  return outcome === 'booked' && status === 'scheduled'
}

function dateActions(id: string, { date, outcome, status }: Occurrence): Html {
  const here = seriesPath(id)
  const isMissing = outcome === 'refused' || outcome === 'skipped'
  const mayChange = isMissing || hasSlot({ outcome, status })
  return html`<div class="bar">${
    isMissing
      ? operationForm('series.move', {
          hidden: { id, date, next: here },
          word: 'Book at any door',
          about: `Book at any door: ${date}`,
          quiet: true,
        })
      : ''
  }
${mayChange ? html`<a class="button quiet" href="${here}?date=${date}#date" aria-label="Move or skip ${date}">Move or skip</a>` : ''}</div>`
}

function dateForms(
  { date, outcome, status, startTime }: Occurrence,
  facility: Facility,
  hidden: { id: string; next: string },
): Html {
  const isBooked = hasSlot({ outcome, status })
  const place = isBooked ? `It is booked at ${formatLocal(startTime!, facility.timeZone)}.` : 'The date has no slot.'
  return html`<section class="card wide" id="date"><h2>${formatWeekday(date)}</h2>
<p>${place} Without a start, the first free slot of the new date is taken.</p>
${operationForm('series.move', {
  key: 'move',
  hidden: { ...hidden, date },
  fields: [...placeFields(facility, { date }), ...reasonInputs(facility, 'rescheduled')],
  inColumns: true,
  word: 'Move',
})}
${
  outcome === 'skipped'
    ? ''
    : operationForm('series.skip', {
        key: 'skip',
        hidden: { ...hidden, date },
        fields: reasonInputs(facility, 'cancelled'),
        word: 'Skip the date',
        confirm: isBooked ? `Skip ${date}? Its appointment is cancelled.` : undefined,
        quiet: true,
      })
}</section>`
}
