import { describe } from 'vitest'
import { clockChangeDates, itMatchesBruteForce } from './slot-search-property'

/** The slow test covers every date with more samples. */
describe('the slot search', () => {
  const zones = ['America/Chicago', 'Africa/Cairo', 'Pacific/Apia']
  itMatchesBruteForce(
    clockChangeDates.filter(([timeZone]) => zones.includes(timeZone)),
    3,
  )
})
