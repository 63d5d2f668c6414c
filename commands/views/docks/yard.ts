import type { ResultOf } from '../../../src/catalog'
import { formatStay } from '../../../src/docks/yard/rules/trailer-steps'
import { pluralize } from '../../../src/kernel/text/text'
import { type Canvas, facts, printableLine, table } from '../../terminal/layout'
import { formatDateTimeAt } from './appointment'

type Yard = ResultOf<'yard.board'>
type Trailer = ResultOf<'yard.list'>[number]

interface Place {
  name: string
  trailer: Trailer | null
}

/** Doors without a trailer are left out: the board of the facility shows what they do. */
export function renderYard(yard: Yard, canvas: Canvas): string {
  const { counts, timeZone } = yard
  const title = canvas.colors.strong(printableLine(`${yard.facilityCode} ${yard.facilityName}`))
  const summary = [
    pluralize(counts.trailers, 'trailer'),
    `${counts.loaded} loaded`,
    `${counts.empty} empty`,
    `${counts.freeSpots} of ${pluralize(counts.spots, 'spot')} free`,
    ...(counts.inDetention > 0 ? [`${counts.inDetention} beyond the free time of ${yard.trailerFreeHours} hours`] : []),
  ].join(', ')
  const places: Place[] = [
    ...yard.doors.filter(({ trailer }) => trailer !== null),
    ...yard.spots,
    ...yard.elsewhere.map((trailer) => ({ name: 'no place', trailer })),
  ]
  const head = `${title}\n${summary}\n`
  if (places.length === 0)
    return `${head}\nThe yard has no spots. Add some: studio yard add-spots ${printableLine(yard.facilityCode)} Y1 Y2\n`
  return `${head}\n${table(canvas, places, [
    { title: 'PLACE', text: ({ name }) => printableLine(name), shrink: 'cut' },
    ...trailerColumns(({ trailer }: Place) => trailer, canvas),
  ])}\nTimes in ${timeZone}\n`
}

export function renderTrailers(list: readonly Trailer[], canvas: Canvas): string {
  if (list.length === 0) return 'No trailers.\n'
  const rows = table(canvas, list, [
    { title: 'PLACE', text: (trailer) => printableLine(placeOf(trailer)), shrink: 'cut' },
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
    { title: 'LOAD', text: of(({ loaded }) => (loaded ? 'loaded' : 'empty')) },
    { title: 'REFERENCE', text: of(({ referenceNumber }) => referenceNumber ?? ''), shrink: 'cut' as const },
    { title: 'ARRIVED', text: of(({ arrivedAt, timeZone }) => formatDateTimeAt(arrivedAt, timeZone)) },
    { title: 'STAY', text: of(({ dwellMinutes }) => formatStay(dwellMinutes)), align: 'right' as const },
    {
      title: 'DETENTION',
      text: of(({ detentionMinutes }) => (detentionMinutes === 0 ? '' : formatStay(detentionMinutes))),
      align: 'right' as const,
      color: (text: string) => canvas.colors.bad(text),
    },
    { title: 'NOTE', text: of(({ note }) => note ?? ''), shrink: 'wrap' as const },
  ]
}

function placeOf({ leftAt, spotName, doorName }: Trailer): string {
  return leftAt === null ? (spotName ?? doorName ?? 'no place') : 'left'
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
    { title: 'LOAD', text: ({ loaded }) => (loaded ? 'loaded' : 'empty') },
    { title: 'BY', text: ({ by }) => printableLine(by), shrink: 'cut' },
  ])
  return `${facts(canvas, trailerFacts(trailer))}\n${history}\nTimes in ${timeZone}\n`
}

function trailerFacts(trailer: Trailer): [string, string | null][] {
  const { timeZone, arrivedAt, leftAt, dwellMinutes, detentionMinutes } = trailer
  return [
    ['Trailer', printableLine(trailer.number)],
    ['ID', trailer.id],
    ['Facility', printableLine(trailer.facilityCode)],
    ['Carrier', printableLine(trailer.carrierName)],
    ['Place', printableLine(placeOf(trailer))],
    ['Load', trailer.loaded ? 'loaded' : 'empty'],
    ['Reference', trailer.referenceNumber && printableLine(trailer.referenceNumber)],
    ['Arrived', `${formatDateTimeAt(arrivedAt, timeZone)} (${timeZone})`],
    ['Left', leftAt && formatDateTimeAt(leftAt, timeZone)],
    ['Stay', formatStay(dwellMinutes)],
    ['Detention', detentionMinutes === 0 ? null : formatStay(detentionMinutes)],
    ['Note', trailer.note && printableLine(trailer.note)],
  ]
}

export function renderTrailerImport(report: ResultOf<'yard.import'>, canvas: Canvas): string {
  const { arrived, refused, rows, dryRun } = report
  const there = rows.filter(({ outcome }) => outcome === 'already_there').length
  const counts = [
    `${pluralize(arrived, 'trailer')} ${dryRun ? 'would be stored' : 'stored'}`,
    `${there} in the yard already`,
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
