import { pluralize } from '../../../kernel/text/text'

/** What the terminal and the console show of a trailer in the same words. */
interface ShownTrailer {
  loaded: boolean
  spotName: string | null
  doorName: string | null
  leftAt: string | null
  dwellMinutes: number
  detentionMinutes: number
}

interface ShownYard<Trailer> {
  trailerFreeHours: number
  counts: {
    trailers: number
    loaded: number
    empty: number
    inDetention: number
    spots: number
    freeSpots: number
  }
  spots: readonly { name: string; trailer: Trailer | null }[]
  doors: readonly { name: string; trailer: Trailer | null }[]
  elsewhere: readonly Trailer[]
}

const NO_PLACE = 'no place'

/** `2 trailers, 1 loaded, 1 empty, 3 of 4 spots free, 1 beyond the free time of 48 hours` */
export function summarizeYard({ counts, trailerFreeHours }: ShownYard<unknown>): string {
  const { trailers, loaded, empty, inDetention, spots, freeSpots } = counts
  return [
    pluralize(trailers, 'trailer'),
    `${loaded} loaded`,
    `${empty} empty`,
    `${freeSpots} of ${pluralize(spots, 'spot')} free`,
    ...(inDetention > 0 ? [`${inDetention} beyond the free time of ${pluralize(trailerFreeHours, 'hour')}`] : []),
  ].join(', ')
}

/** What a board lists, in this order. Doors without a trailer are left out: the board of the facility shows what they do. */
export function listPlaces<Trailer extends ShownTrailer>({
  doors,
  spots,
  elsewhere,
}: ShownYard<Trailer>): { name: string; trailer: Trailer | null }[] {
  return [
    ...doors.filter(({ trailer }) => trailer !== null),
    ...spots,
    ...elsewhere.map((trailer) => ({ name: nameRemoved(trailer) ?? NO_PLACE, trailer })),
  ]
}

/** A trailer is still where a door was removed, or a spot to which an undone step put it back. */
function nameRemoved({ spotName, doorName }: ShownTrailer): string | null {
  const name = spotName ?? doorName
  return name === null ? null : `${name} (removed)`
}

export function namePlace({ leftAt, spotName, doorName }: ShownTrailer): string {
  return leftAt === null ? (spotName ?? doorName ?? NO_PLACE) : 'left'
}

export function nameLoad({ loaded }: Pick<ShownTrailer, 'loaded'>): string {
  return loaded ? 'loaded' : 'empty'
}

export function describeStay({ dwellMinutes }: ShownTrailer): string {
  return formatStay(dwellMinutes)
}

/** Null for a trailer within its free time. */
export function describeDetention({ detentionMinutes }: ShownTrailer): string | null {
  return detentionMinutes === 0 ? null : formatStay(detentionMinutes)
}

/** `3 d 4 h`, `2 h 5 m` or `12 m` */
export function formatStay(minutes: number): string {
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60]
  if (days > 0) return `${days} d ${hours} h`
  return hours > 0 ? `${hours} h ${rest} m` : `${rest} m`
}
