import fc from 'fast-check'

/** `npm run faults` runs the long form, which `STUDIO_SEED=<number>` repeats with the same moments. */
export const isLong = process.env['STUDIO_FAULTS'] === 'long'

/** Random moments between 0 and the last one, spread over all of that time: the same ones for the same seed of the run. */
export function momentsUpTo(last: number, count: number): number[] {
  const shares = fc.sample(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), count)
  return shares.map((share, i) => Math.floor(((i + share) * last) / count))
}
