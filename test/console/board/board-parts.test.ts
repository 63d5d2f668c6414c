import { describe, expect, it } from 'vitest'
import { isNext, renderListParts } from '../../../src/console/board/board-list'
import { boardViews, shapeOf } from '../../../src/console/board/board-views'
import {
  type Board,
  type BoardAppointment,
  extentOf,
  wallExtentOf,
  widthClassOf,
} from '../../../src/console/board/extent'
import { countFacets, facetsOf, wordsOf } from '../../../src/console/board/facets'
import { PartMemo } from '../../../src/console/board/part-memo'

const HOUR = 3_600_000
const DAY = Date.parse('2027-03-01T00:00:00Z')
const at = (hours: number) => new Date(DAY + hours * HOUR).toISOString()

function appointment(start: number, changes: Partial<BoardAppointment> = {}): BoardAppointment {
  return {
    id: `a${start}`,
    type: 'delivery',
    status: 'scheduled',
    step: null,
    startTime: at(start),
    endTime: at(start + 1),
    localStart: '06:00',
    localEnd: '07:00',
    carrierName: 'Acme',
    referenceNumber: `PO-${start}`,
    conflict: null,
    attention: null,
    ...changes,
  }
}

function board(appointments: BoardAppointment[], { now = 12, open = [0, 24] } = {}): Board {
  const [from, to] = open as [number, number]
  return {
    facilityId: 'f',
    facilityCode: 'DC1',
    facilityName: 'North',
    timeZone: 'Etc/UTC',
    date: '2027-03-01',
    from: at(0),
    to: at(24),
    generatedAt: at(now),
    closure: null,
    hours: Array.from({ length: 24 }, (_, hour) => ({ at: at(hour), clock: `${hour}:00` })),
    doors: [{ id: 'd', name: 'Door 1', active: true, open: [{ from: at(from), to: at(to) }], appointments, holds: [] }],
  }
}

describe('the list of a board', () => {
  it('begins with what somebody has to do within two hours, or already has', () => {
    const now = DAY + 12 * HOUR
    const cases: [BoardAppointment, boolean][] = [
      [appointment(14), true],
      [appointment(14.5), false],
      [appointment(10), false],
      [appointment(10, { attention: 'late' }), true],
      [appointment(9, { step: 'loading' }), true],
      [appointment(12, { step: 'completed', status: 'completed' }), false],
      [appointment(12, { step: 'no_show' }), false],
    ]
    for (const [entry, expected] of cases) expect([entry, isNext(entry, now)]).toEqual([entry, expected])
  })

  it('has each appointment once, by its start', async () => {
    const starts = [23, 3, 13, 12.5, -0.5]
    const parts = await renderListParts(board(starts.map((start) => appointment(start))), new PartMemo())
    const rows = [...parts.values()].join('').match(/>PO-[\d.-]+</g)
    expect(rows).toEqual(['>PO-12.5<', '>PO-13<', '>PO--0.5<', '>PO-3<', '>PO-23<'])
  })
})

describe('the state of an appointment on the board', () => {
  it('is what somebody should look at first', () => {
    expect(wordsOf(appointment(1))).toBe('scheduled')
    expect(wordsOf(appointment(1, { attention: 'late' }))).toBe('late')
    expect(wordsOf(appointment(1, { step: 'checked_in', attention: 'waiting' }))).toBe('checked in, waiting')
    expect(wordsOf(appointment(1, { attention: 'late', conflict: 'closure' }))).toBe('in conflict (scheduled)')
  })

  it('is counted in each of its kinds, those that somebody looks for also if there are none', () => {
    const late = appointment(1, { attention: 'late', conflict: 'closure' })
    expect(facetsOf(late)).toEqual(['conflict', 'late'])
    expect(Object.fromEntries(countFacets(board([late, appointment(2)])))).toEqual({
      late: 1,
      waiting: 0,
      conflict: 1,
      expected: 1,
    })
  })
})

describe('the drawing of a board', () => {
  it('is so wide that the shortest block shows the end of its reference', () => {
    const width = (hours: number) => {
      const drawn = board([appointment(8, { endTime: at(8 + hours) })], { open: [6, 18] })
      return Number(widthClassOf(drawn, extentOf(drawn)).slice('wide-'.length))
    }
    expect([width(1), width(0.5), width(0.25)]).toEqual([66, 130, 200])
    expect(width(1 / 12)).toBe(width(0.25))
  })

  it('of a wall has the hours around the present one, within the open ones', () => {
    const hoursAt = (now: number, open = [0, 24]) => {
      const { from, to } = wallExtentOf(board([], { now, open }))
      return [(from - DAY) / HOUR, (to - DAY) / HOUR]
    }
    expect(hoursAt(12.7)).toEqual([11, 19])
    expect(hoursAt(0.2)).toEqual([0, 8])
    expect(hoursAt(23)).toEqual([16, 24])
    expect(hoursAt(9, [8, 14])).toEqual([8, 14])
    expect(hoursAt(30)).toEqual([0, 24])
  })
})

describe('the parts of a board', () => {
  it('keep their shape through bookings, and are drawn again only where something changed', async () => {
    const memo = new PartMemo()
    const [before, after] = [board([appointment(12)]), board([appointment(12), appointment(13)])]
    before.doors.push({ ...before.doors[0]!, id: 'e', appointments: [] })
    after.doors.push({ ...after.doors[0]!, id: 'e', appointments: [] })
    const first = await boardViews.day.renderParts(before, memo)
    const second = await boardViews.day.renderParts(after, memo)
    expect(shapeOf(after, boardViews.day, second)).toBe(shapeOf(before, boardViews.day, first))
    const changed = [...second].filter(([id, part]) => first.get(id) !== part).map(([id]) => id)
    expect(changed).toEqual(['board-summary', 'door-d', 'list-next'])
    expect(await boardViews.day.renderParts(after)).toEqual(second)
  })
})
