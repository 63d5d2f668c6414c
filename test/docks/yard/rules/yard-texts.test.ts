import { describe, expect, it } from 'vitest'
import { listPlaces } from '../../../../src/docks/yard/rules/yard-texts'

const trailer = { loaded: true, spotName: null, doorName: null, leftAt: null, dwellMinutes: 0, detentionMinutes: 0 }

describe('the places of a yard', () => {
  it('are the doors with a trailer, the spots, and where the other trailers are', () => {
    const counts = { trailers: 4, loaded: 4, empty: 0, inDetention: 0, spots: 1, freeSpots: 1 }
    const places = listPlaces({
      trailerFreeHours: 48,
      counts,
      doors: [
        { name: 'Door 1', trailer: null },
        { name: 'Door 2', trailer: { ...trailer, doorName: 'Door 2' } },
      ],
      spots: [{ name: 'Y1', trailer: null }],
      elsewhere: [trailer, { ...trailer, spotName: 'Y2' }, { ...trailer, doorName: 'Ramp' }],
    })
    expect(places.map(({ name }) => name)).toEqual(['Door 2', 'Y1', 'no place', 'Y2 (removed)', 'Ramp (removed)'])
  })
})
