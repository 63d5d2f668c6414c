import type { ResultOf } from '../../../src/catalog'
import {
  describeDetention,
  describeStay,
  listPlaces,
  nameLoad,
  namePlace,
  summarizeYard,
} from '../../../src/docks/yard/rules/yard-texts'
import { pluralize } from '../../../src/kernel/text/text'
import { type Canvas, facts, printableLine, table } from '../../terminal/layout'
import { formatDateTimeAt } from './appointment'

type Yard = ResultOf<'yard.board'>
type Trailer = ResultOf<'yard.list'>[number]

export function renderYard(yard: Yard, canvas: Canvas): string {
  const title = canvas.colors.strong(printableLine(`${yard.facilityCode} ${yard.facilityName}`))
  const places = listPlaces<Trailer>(yard)
  const head = `${title}\n${summarizeYard(yard)}\n`
  if (places.length === 0)
    return `${head}\nThe yard has no spots. Add some: studio yard add-spots ${printableLine(yard.facilityCode)} Y1 Y2\n`
  return `${head}\n${table(canvas, places, [
    { title: 'PLACE', text: ({ name }) => printableLine(name), shrink: 'cut' },
    ...trailerColumns(({ trailer }: (typeof places)[number]) => trailer, canvas),
  ])}\nTimes in ${yard.timeZone}\n`
}

export function renderTrailers(list: readonly Trailer[], canvas: Canvas): string {
  if (list.length === 0) return 'No trailers.\n'
  const rows = table(canvas, list, [
    { title: 'PLACE', text: (trailer) => printableLine(namePlace(trailer)), shrink: 'cut' },
    ...trailerColumns((trailer: Trailer) => trailer, canvas),
    { title: 'ID', text: ({ id }) => id, below: true },
  ])
  return `${rows}\n${pluralize(list.length, 'trailer')}, times in ${list[0]!.timeZone}\n`
}

function trailerColumns<Row>(find: (row: Row) => Trailer | null, canvas: Canvas) {
  const of = (text: (trailer: Trailer) => string) => (row: Row) => {
    const trailer = find(row)
    return trailer === null ? '' : printableLine(text(trailer))
  }
  return [
    { title: 'TRAILER', text: of(({ number }) => number) },
    { title: 'CARRIER', text: of(({ carrierName }) => carrierName), shrink: 'cut' as const },
    { title: 'LOAD', text: of(nameLoad) },
    { title: 'REFERENCE', text: of(({ referenceNumber }) => referenceNumber ?? ''), shrink: 'cut' as const },
    { title: 'ARRIVED', text: of(({ arrivedAt, timeZone }) => formatDateTimeAt(arrivedAt, timeZone)) },
    { title: 'STAY', text: of(describeStay), align: 'right' as const },
    {
      title: 'DETENTION',
      text: of((trailer) => describeDetention(trailer) ?? ''),
      align: 'right' as const,
      color: (text: string) => canvas.colors.bad(text),
    },
    { title: 'NOTE', text: of(({ note }) => note ?? ''), shrink: 'wrap' as const },
  ]
}

export function renderTrailerAnswer({ message, data }: ResultOf<'yard.undo'>, canvas: Canvas): string {
  const text = `${canvas.colors.good('✓')} ${printableLine(message)}\n`
  return data === null ? text : `${text}${facts(canvas, trailerFacts(data))}`
}

export function renderTrailer({ steps, ...trailer }: ResultOf<'yard.get'>, canvas: Canvas): string {
  const { timeZone } = trailer
  const history = table(canvas, steps, [
    { title: 'TIME', text: ({ occurredAt }) => formatDateTimeAt(occurredAt, timeZone) },
    { title: 'STEP', text: ({ step, undoneAt }) => (undoneAt === null ? step : `${step} (undone)`) },
    { title: 'PLACE', text: ({ spotName, doorName }) => printableLine(spotName ?? doorName ?? ''), shrink: 'cut' },
    { title: 'LOAD', text: (step) => nameLoad(step) },
    { title: 'BY', text: ({ by }) => printableLine(by), shrink: 'cut' },
  ])
  return `${facts(canvas, trailerFacts(trailer))}\n${history}\nTimes in ${timeZone}\n`
}

function trailerFacts(trailer: Trailer): [string, string | null][] {
  const { timeZone, arrivedAt, leftAt } = trailer
  return [
    ['Trailer', printableLine(trailer.number)],
    ['ID', trailer.id],
    ['Facility', printableLine(trailer.facilityCode)],
    ['Carrier', printableLine(trailer.carrierName)],
    ['Place', printableLine(namePlace(trailer))],
    ['Load', nameLoad(trailer)],
    ['Reference', trailer.referenceNumber && printableLine(trailer.referenceNumber)],
    ['Arrived', `${formatDateTimeAt(arrivedAt, timeZone)} (${timeZone})`],
    ['Left', leftAt && formatDateTimeAt(leftAt, timeZone)],
    ['Stay', describeStay(trailer)],
    ['Detention', describeDetention(trailer)],
    ['Note', trailer.note && printableLine(trailer.note)],
  ]
}

export function renderAddedSpots({ message }: ResultOf<'yard.add-spots'>, { colors }: Canvas): string {
  return `${colors.good('✓')} ${printableLine(message)}\n`
}

export function renderTrailerImport(report: ResultOf<'yard.import'>, canvas: Canvas): string {
  const { arrived, refused, rows, dryRun } = report
  const count = (wanted: string) => rows.filter(({ outcome }) => outcome === wanted).length
  const counts = [
    `${pluralize(arrived, 'trailer')} ${dryRun ? 'would be stored' : 'stored'}`,
    `${count('already_there')} in the yard already`,
    ...(count('has_left') > 0 ? [`${count('has_left')} not stored because they have left`] : []),
    `${refused} refused`,
  ].join(', ')
  const wrong = rows.filter(({ outcome }) => outcome === 'refused')
  if (wrong.length === 0) return `${counts}\n`
  return `${table(canvas, wrong, [
    { title: 'LINE', text: ({ line }) => String(line), align: 'right' },
    { title: 'TRAILER', text: ({ number }) => printableLine(number ?? ''), shrink: 'cut' },
    { title: 'WHY', text: ({ message }) => printableLine(message ?? ''), shrink: 'wrap' },
  ])}\n${counts}\n`
}
