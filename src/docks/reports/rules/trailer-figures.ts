import { compareNames, type Spread, spreadOf } from './spread'

/** A trailer that arrived on the dates of a report. */
export interface CountedTrailer {
  carrierName: string
  hasLeft: boolean
  /** Until it left, or until now. */
  dwellMinutes: number
  /** How much of that is beyond its free time. */
  detentionMinutes: number
}

export interface TrailerFigures {
  trailers: number
  /** Those that are in the yard still. */
  present: number
  dwellHours: Spread
  /** Those that stayed or stay beyond their free time, and how long all of them together. */
  detained: number
  detentionMinutes: number
}

/** Sums up trailers by carrier, the one with the most trailers first. */
export function sumUpTrailers(
  trailers: readonly CountedTrailer[],
): TrailerFigures & { carriers: (TrailerFigures & { name: string })[] } {
  const names = [...new Set(trailers.map(({ carrierName }) => carrierName))]
  const carriers = names
    .map((name) => ({ name, ...sumUp(trailers.filter(({ carrierName }) => carrierName === name)) }))
    .sort((a, b) => b.trailers - a.trailers || compareNames(a.name, b.name))
  return { ...sumUp(trailers), carriers }
}

function sumUp(trailers: readonly CountedTrailer[]): TrailerFigures {
  const detained = trailers.filter(({ detentionMinutes }) => detentionMinutes > 0)
  return {
    trailers: trailers.length,
    present: trailers.filter(({ hasLeft }) => !hasLeft).length,
    dwellHours: spreadOf(trailers.map(({ dwellMinutes }) => Math.round(dwellMinutes / 6) / 10)),
    detained: detained.length,
    detentionMinutes: detained.reduce((sum, { detentionMinutes }) => sum + detentionMinutes, 0),
  }
}
