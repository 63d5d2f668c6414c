import type { ResultOf } from '../../../src/catalog'
import { pluralize } from '../../../src/kernel/text/text'
import { type Canvas, facts, printableLine, table } from '../../terminal/layout'
import { formatDateTimeAt, formatTimeAt, loadFacts } from './appointment'

type Series = ResultOf<'series.get'>
type Occurrence = Series['occurrences'][number]

export function renderSeriesList(list: ResultOf<'series.list'>, canvas: Canvas): string {
  if (list.length === 0) return 'There are no series. Create one: studio series create\n'
  const rows = table(canvas, list, [
    { title: 'CARRIER', text: ({ carrierName }) => carrierName, shrink: 'cut' },
    { title: 'LANE', text: ({ lane }) => lane ?? '', shrink: 'cut' },
    { title: 'WHEN', text: (series) => formatRule(series), shrink: 'wrap' },
    { title: 'UNTIL', text: ({ lastDate }) => lastDate ?? '' },
    {
      title: 'REFUSED',
      text: ({ refused }) => (refused === 0 ? '' : String(refused)),
      color: (text) => canvas.colors.warn(text),
    },
    { title: 'ID', text: ({ id }) => id, below: true },
  ])
  return `${rows}\n${list.length} series, times in ${list[0]!.timeZone}\n`
}

export function renderSeriesAnswer({ message, data }: ResultOf<'series.create'>, canvas: Canvas): string {
  return `${canvas.colors.good('✓')} ${printableLine(message)}\n\n${renderSeries(data, canvas)}`
}

export function renderSeries(series: Series, canvas: Canvas): string {
  const { occurrences, timeZone } = series
  const head = facts(canvas, [
    ['Series', series.id],
    ['Facility', printableLine(series.facilityCode)],
    ['Carrier', printableLine(series.carrierName)],
    ['Lane', series.lane === null ? null : printableLine(series.lane)],
    ['Type', series.type],
    ['When', formatRule(series)],
    ['From', series.firstDate],
    ['Until', series.lastDate],
    ['Closed dates', series.holidayPolicy === 'skip' ? 'left out' : 'on the next open day'],
    ['Booked', `${series.aheadDays} days ahead`],
    ...loadFacts(series),
  ])
  if (occurrences.length === 0) return `${head}\nNo date is due yet.\n`
  const rows = table(canvas, occurrences, [
    { title: 'DATE', text: ({ date }) => date },
    { title: '', text: formatOutcome, color: (text, { outcome }) => colorOf(outcome, canvas)(text) },
    {
      title: 'START',
      text: ({ startTime, status }) =>
        startTime && status !== 'cancelled' ? formatDateTimeAt(startTime, timeZone) : '',
    },
    {
      title: 'END',
      text: ({ endTime, status }) => (endTime && status !== 'cancelled' ? formatTimeAt(endTime, timeZone) : ''),
    },
    { title: 'DOOR', text: ({ doorName, status }) => (status === 'cancelled' ? '' : (doorName ?? '')) },
    { title: 'WHY', text: ({ reason }) => reason ?? '', shrink: 'wrap' },
  ])
  return `${head}\n${rows}\n${pluralize(occurrences.length, 'date')}, times in ${timeZone}\n`
}

export function renderMaterialized(report: ResultOf<'series.materialize'>, canvas: Canvas): string {
  const { booked, closed, refused, results } = report
  const left = results
    .filter(({ outcome }) => outcome === 'refused')
    .map((entry) => ({ ...entry, reason: entry.reason ?? '' }))
  const rows = left.length === 0 ? '' : `${renderOccurrencesWithoutPlace(left, canvas)}\n`
  return `${rows}${pluralize(booked, 'date')} booked, ${closed} closed, ${refused} without a place.\n`
}

interface Unplaced {
  date: string
  carrierName: string
  reason: string
  seriesId: string
}

export function renderOccurrencesWithoutPlace(list: readonly Unplaced[], canvas: Canvas): string {
  return table(canvas, list, [
    { title: 'DATE', text: ({ date }) => date },
    { title: 'CARRIER', text: ({ carrierName }) => carrierName, shrink: 'cut' },
    { title: 'WHY', text: ({ reason }) => reason, shrink: 'wrap', color: (text) => canvas.colors.warn(text) },
    { title: 'SERIES', text: ({ seriesId }) => seriesId },
  ])
}

/** `tue, thu 09:00, every 2 weeks` */
function formatRule({ days, startTime, everyWeeks }: Pick<Series, 'days' | 'startTime' | 'everyWeeks'>): string {
  return `${days.join(', ')} ${startTime}${everyWeeks === 1 ? '' : `, every ${everyWeeks} weeks`}`
}

function formatOutcome({ outcome, status }: Occurrence): string {
  if (outcome === 'booked') return status === 'scheduled' ? 'booked' : (status ?? 'booked')
  return outcome === 'skipped' ? 'left out' : outcome
}

function colorOf(outcome: Occurrence['outcome'], { colors }: Canvas): (text: string) => string {
  return outcome === 'refused' ? colors.warn : outcome === 'booked' ? colors.good : colors.faint
}
