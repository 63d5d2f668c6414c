import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addSpots } from '../../../src/docks/yard/operations/add-spots'
import { arriveTrailer } from '../../../src/docks/yard/operations/arrive'
import { leaveYard } from '../../../src/docks/yard/operations/leave'
import { moveTrailer } from '../../../src/docks/yard/operations/move'
import { removeSpot } from '../../../src/docks/yard/operations/remove-spot'
import { showYard } from '../../../src/docks/yard/operations/show-yard'
import { undoTrailerChange } from '../../../src/docks/yard/operations/undo'
import { updateTrailer } from '../../../src/docks/yard/operations/update-trailer'
import type { StudioError } from '../../../src/kernel'
import { formatInstant, MINUTE_MS } from '../../../src/kernel/time'
import { NOW, officeWith } from '../dock-fixtures'

const SPOTS = ['Y1', 'Y2']
const DOORS = ['Door 1', 'Door 2']
const place = fc.constantFrom(...SPOTS, ...DOORS)
const number = fc.constantFrom('A-1', 'a 1', 'B', 'C')
const which = fc.nat({ max: 3 })
const minutesAgo = fc.nat({ max: 4 })
interface Call {
  name: string
  which?: number
  number?: string
  place?: string | null
  loaded?: boolean
  minutesAgo?: number
}

const call: fc.Arbitrary<Call> = fc.oneof(
  fc.record({ name: fc.constant('arrive'), number, place: fc.option(place), minutesAgo }),
  fc.record({ name: fc.constant('move'), which, place, loaded: fc.boolean(), minutesAgo }),
  fc.record({ name: fc.constant('change'), which, number }),
  fc.record({ name: fc.constant('leave'), which, minutesAgo }),
  fc.record({ name: fc.constant('undo'), which }),
  fc.record({ name: fc.constantFrom('add', 'remove'), place: fc.constantFrom(...SPOTS) }),
)

/** What is known of a trailer after a step. */
interface State {
  number: string
  place: string | null
  loaded: boolean
  arrivedAt: number
  placedAt: number
  leftAt: number | null
}

const toKey = (text: string) => text.toLowerCase().replace(/\W/g, '')

/** A yard as the states of each trailer. A call returns the code of the error that the operation must have. */
class Yard {
  spots = new Set(SPOTS)
  /** By ID. */
  trailers = new Map<string, State[]>()

  take(call: Call, id: string, now: number): string | null {
    if (call.name === 'add') this.spots.add(call.place!)
    else if (call.name === 'remove') return this.#remove(call.place!)
    else if (call.name === 'undo') return this.#undo(id)
    else if (call.name === 'arrive') return this.#arrive(call, id, now)
    else return this.#change(call, id, now)
    return null
  }

  present(except?: string): State[] {
    const last = [...this.trailers].filter(([id]) => id !== except).map(([, states]) => states.at(-1)!)
    return last.filter(({ leftAt }) => leftAt === null)
  }

  #remove(name: string): string | null {
    if (!this.spots.has(name)) return 'not_found'
    if (this.present().some(({ place }) => place === name)) return 'conflict'
    this.spots.delete(name)
    return null
  }

  #arrive({ number = '', place = null, minutesAgo = 0 }: Call, id: string, now: number): string | null {
    const at = now - minutesAgo * MINUTE_MS
    const error = this.#findConflict({ number, place })
    if (error !== null) return error
    const stays = [...this.trailers.values()].map((states) => states.at(-1)!)
    if (stays.some((stay) => toKey(stay.number) === toKey(number) && stay.leftAt! > at)) return 'invalid'
    this.trailers.set(id, [{ number, place, loaded: true, arrivedAt: at, placedAt: at, leftAt: null }])
    return null
  }

  #change({ name, number, place, loaded, minutesAgo = 0 }: Call, id: string, now: number): string | null {
    const states = this.trailers.get(id)!
    const before = states.at(-1)!
    const at = now - minutesAgo * MINUTE_MS
    if (before.leftAt !== null) return 'invalid_state'
    const error = this.#findConflict({ number, place }, id)
    if (error !== null) return error
    if (place === before.place && loaded === before.loaded) return null
    if (name === 'change' && number === before.number) return null
    if (at < before.placedAt) return 'invalid'
    const isMoved = place !== undefined && place !== before.place
    states.push({
      ...before,
      number: number ?? before.number,
      place: place ?? before.place,
      loaded: loaded ?? before.loaded,
      placedAt: isMoved ? at : before.placedAt,
      leftAt: name === 'leave' ? at : null,
    })
    return null
  }

  #undo(id: string): string | null {
    const states = this.trailers.get(id)!
    const restored = states.at(-2)
    if (restored && this.#findConflict({ number: restored.number }, id)) return 'conflict'
    if (restored?.place && this.present(id).some(({ place }) => place === restored.place)) return 'conflict'
    states.pop()
    if (!restored) this.trailers.delete(id)
    return null
  }

  #findConflict({ number, place }: { number?: string; place?: string | null }, id?: string): string | null {
    const others = this.present(id)
    if (number !== undefined && others.some((one) => toKey(one.number) === toKey(number))) return 'conflict'
    if (!place) return null
    if (!DOORS.includes(place) && !this.spots.has(place)) return 'invalid'
    return others.some((one) => one.place === place) ? 'conflict' : null
  }
}

const choosePlace = (place?: string | null) => (DOORS.includes(place!) ? { doorName: place } : { spotName: place })

describe('a yard', () => {
  it('is what its steps left, whatever is tried, and each undone step restores what was before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 5, maxLength: 30 }), async (calls) => {
        const office = await officeWith()
        await office.run(addSpots, { id: 'DC1', names: SPOTS })
        const yard = new Yard()
        for (const [index, call] of calls.entries()) {
          const now = NOW + 2 * index * MINUTE_MS
          office.at(formatInstant(now))
          const ids = [...yard.trailers.keys()]
          if (call.which !== undefined && ids.length === 0) continue
          const known = call.which === undefined ? '' : ids[call.which % ids.length]!
          const answer = (await run(call, known, now).catch(({ code }: StudioError) => code)) as any
          const error = yard.take(call, call.name === 'arrive' ? answer.data?.id : known, now)
          expect([call, typeof answer === 'string' ? answer : null]).toEqual([call, error])
          await expectSame(now)
        }
        await office.db.close()

        async function run({ name, number, place, loaded, minutesAgo }: Call, id: string, now: number) {
          const at = minutesAgo === undefined ? undefined : formatInstant(now - minutesAgo * MINUTE_MS)
          if (name === 'add') return office.run(addSpots, { id: 'DC1', names: [place] })
          if (name === 'remove') return office.run(removeSpot, { id: 'DC1', name: place })
          if (name === 'move') return office.run(moveTrailer, { id, ...choosePlace(place), loaded, at })
          if (name === 'change') return office.run(updateTrailer, { id, number })
          if (name === 'leave') return office.run(leaveYard, { id, at })
          if (name === 'undo') return office.run(undoTrailerChange, { id })
          const facility = { facilityCode: 'DC1', carrierName: 'Red' }
          return office.run(arriveTrailer, { ...facility, number, ...choosePlace(place), at })
        }

        async function expectSame(now: number): Promise<void> {
          const { spots, doors, elsewhere, counts } = await office.run(showYard, { id: 'DC1' })
          const standing = [...spots, ...doors].flatMap(({ name, trailer }) => (trailer ? [{ name, trailer }] : []))
          const shown = [...standing, ...elsewhere.map((trailer) => ({ name: null, trailer }))]
          const stateOf = ({ name, trailer }: (typeof shown)[number]): State & { dwellMinutes: number } => ({
            number: trailer.number,
            place: name ?? trailer.spotName,
            loaded: trailer.loaded,
            arrivedAt: Date.parse(trailer.arrivedAt),
            placedAt: Date.parse(trailer.placedAt),
            leftAt: null,
            dwellMinutes: trailer.dwellMinutes,
          })
          const expected = yard.present().map((one) => ({ ...one, dwellMinutes: (now - one.arrivedAt) / MINUTE_MS }))
          const byNumber = (a: State, b: State) => (a.number < b.number ? -1 : 1)
          expect(shown.map(stateOf).sort(byNumber)).toEqual(expected.sort(byNumber))
          expect(spots.map(({ name }) => name)).toEqual([...yard.spots].sort())
          expect(counts.trailers).toBe(expected.length)
        }
      }),
      { numRuns: 20 },
    )
  })
})
