import { describe, expect, it } from 'vitest'
import { appointmentSteps } from '../../../../src/docks/visits/rules/appointment-steps'
import { judgeAttention } from '../../../../src/docks/visits/rules/attention'

const MINUTE = 60_000
const visit = { status: 'scheduled' as const, startAt: 0, endAt: 60 * MINUTE }

describe('why somebody should look at an appointment', () => {
  it.each([
    ['a truck that has not come within the grace is late', null, 31, 'late'],
    ['it is not late before that', null, 30, null],
    ['a truck that has checked in waits, also before its start', 'checked_in', -60, 'waiting'],
    ['a truck at the door may finish within the grace', 'at_door', 90, null],
    ['after that it is there for too long', 'loading', 91, 'long_at_door'],
    ['a truck that did not come is no longer late', 'no_show', 500, null],
  ] as const)('%s', (_, step, minutes, expected) => {
    expect(judgeAttention({ ...visit, step }, { now: minutes * MINUTE, graceMinutes: 30 })).toBe(expected)
  })

  it('no one looks at what is done or cancelled', () => {
    for (const status of ['completed', 'cancelled'] as const)
      for (const step of [null, ...appointmentSteps])
        expect(judgeAttention({ ...visit, status, step }, { now: 1e12, graceMinutes: 0 })).toBeNull()
  })
})
