import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type AppointmentStep,
  appointmentSteps,
  type ChangeKind,
  expectAgain,
  isAbsent,
  listTakenSteps,
  type Progress,
  reopen,
  type StepChange,
  takeStep,
  undoStep,
} from '../../../../src/docks/visits/rules/appointment-steps'
import { computeVisitTimes } from '../../../../src/docks/visits/rules/visit-times'

type Call = AppointmentStep | 'undo' | 'reopen' | 'move'
const call = fc.record({
  name: fc.constantFrom<Call>(...appointmentSteps, 'undo', 'undo', 'reopen', 'move'),
  releases: fc.boolean(),
})

/** An appointment whose history is written as the operations write it. */
class Visit {
  progress: Progress = { status: 'scheduled', step: null }
  history: StepChange[] = []

  run({ name, releases }: { name: Call; releases: boolean }): void {
    const taken = listTakenSteps(this.history)
    const { status, step } = this.progress
    if (name === 'undo') this.#save('undone', undoStep(this.progress, taken))
    else if (name === 'reopen') this.#save('reopened', status === 'completed' ? reopen(taken) : null)
    else if (name === 'move')
      this.#save('rescheduled', status === 'scheduled' ? { status, step: expectAgain(step) } : null)
    else this.#save(name, takeStep(this.progress, name, releases && isAbsent(name)))
  }

  #save(kind: ChangeKind, after: Progress | null): void {
    if (after === null) return
    const changes: Record<string, [unknown, unknown]> = {}
    if (after.status !== this.progress.status) changes['status'] = [this.progress.status, after.status]
    if (after.step !== this.progress.step) changes['step'] = [this.progress.step, after.step]
    this.history.push({ kind, details: { changes } })
    this.progress = after
  }
}

const visits = fc.array(call, { maxLength: 25 }).map((calls) => {
  const visit = new Visit()
  for (const one of calls) visit.run(one)
  return visit
})

describe('the steps of a truck', () => {
  it('agree with the status: a finished truck is completed, and only an absent one is cancelled', () => {
    fc.assert(
      fc.property(visits, ({ progress: { status, step } }) => {
        expect(status === 'completed').toBe(step === 'completed' || step === 'departed')
        if (status === 'cancelled') expect(isAbsent(step)).toBe(true)
      }),
    )
  })

  it('are what the history says', () => {
    fc.assert(
      fc.property(visits, ({ progress, history }) => {
        expect(listTakenSteps(history).at(-1)?.kind ?? null).toBe(progress.step)
      }),
    )
  })

  it('can be undone one by one, each to the state before it', () => {
    fc.assert(
      fc.property(visits, fc.constantFrom(...appointmentSteps), fc.boolean(), (visit, name, releases) => {
        const before = visit.progress
        const changes = visit.history.length
        visit.run({ name, releases })
        if (visit.history.length === changes) return
        visit.run({ name: 'undo', releases: false })
        expect(visit.progress).toEqual(before)
      }),
    )
  })

  it('cannot be undone after the appointment was cancelled', () => {
    const taken: StepChange[] = [{ kind: 'checked_in', details: { changes: { step: [null, 'checked_in'] } } }]
    expect(undoStep({ status: 'cancelled', step: 'checked_in' }, taken)).toBeNull()
  })
})

describe('the times of a visit', () => {
  const at = (time: string) => Date.parse(`2026-11-17T${time}:00Z`)
  const appointment = { startAt: at('12:00'), graceMinutes: 15, truckFreeMinutes: 60 }
  const timesOf = (...steps: [AppointmentStep, string][]) =>
    computeVisitTimes(
      steps.map(([kind, time]) => ({ kind, at: at(time) })),
      appointment,
    )

  it('are the wait for the door, the work at it, and the whole stay', () => {
    expect(
      timesOf(
        ['checked_in', '11:50'],
        ['at_door', '12:10'],
        ['loading', '12:15'],
        ['completed', '13:00'],
        ['departed', '13:20'],
      ),
    ).toEqual({
      arrival: 'on_time',
      minutesAfterStart: -10,
      waitMinutes: 20,
      turnMinutes: 50,
      dwellMinutes: 90,
      detentionMinutes: 20,
    })
  })

  it.each([
    ['11:44', 'early'],
    ['11:45', 'on_time'],
    ['12:15', 'on_time'],
    ['12:16', 'late'],
  ] as const)('say that a truck at %s is %s', (time, arrival) => {
    expect(timesOf(['checked_in', time]).arrival).toBe(arrival)
  })

  it.each([
    ['11:00', '13:00', 0],
    ['11:00', '13:01', 1],
    ['12:30', '13:30', 0],
    ['12:30', '14:00', 30],
  ])(
    'count detention of a truck from %s to %s after its free time, from the start at the earliest',
    (from, to, minutes) => {
      expect(timesOf(['checked_in', from], ['departed', to]).detentionMinutes).toBe(minutes)
    },
  )

  it('are unknown where a step is missing', () => {
    expect(timesOf(['loading', '12:00'], ['departed', '12:40'])).toEqual({
      arrival: null,
      minutesAfterStart: null,
      waitMinutes: null,
      turnMinutes: 40,
      dwellMinutes: null,
      detentionMinutes: null,
    })
  })

  it('count from the last check-in of a truck that came back', () => {
    const times = timesOf(
      ['checked_in', '11:00'],
      ['turned_away', '11:10'],
      ['checked_in', '12:00'],
      ['at_door', '12:05'],
    )
    expect(times).toMatchObject({ arrival: 'on_time', waitMinutes: 5, dwellMinutes: null })
  })
})
