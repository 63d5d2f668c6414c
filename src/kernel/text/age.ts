import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../time'
import { pluralize } from './text'

/** In the largest unit of which it has two: `90 minutes`, `3 hours`. */
export function formatAge(seconds: number): string {
  const units: [string, number][] = [
    ['day', DAY_MS],
    ['hour', HOUR_MS],
    ['minute', MINUTE_MS],
  ]
  const [name, ms] = units.find(([, ms]) => seconds * SECOND_MS >= 2 * ms) ?? ['minute', MINUTE_MS]
  return pluralize(Math.floor((seconds * SECOND_MS) / ms), name)
}
