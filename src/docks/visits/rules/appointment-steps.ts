import type { AppointmentStatus } from '../../facilities/rules/facility'

/** What happens to a truck, beside the status of its appointment. */
export const appointmentSteps = [
  'checked_in',
  'at_door',
  'loading',
  'completed',
  'departed',
  'no_show',
  'turned_away',
] as const
export type AppointmentStep = (typeof appointmentSteps)[number]

/** For messages and tables. */
export const stepNames: Record<AppointmentStep, string> = {
  checked_in: 'checked in',
  at_door: 'at the door',
  loading: 'loading',
  completed: 'completed',
  departed: 'departed',
  no_show: 'no-show',
  turned_away: 'turned away',
}

/** What is stored as a change although the appointment stays as it was. */
const unchangingKinds = ['reminded', 'file_added', 'file_removed'] as const

/** What a change of an appointment was. Steps and reminders are stored as changes too. */
export const changeKinds = [
  'booked',
  'rescheduled',
  'updated',
  'swapped',
  'cancelled',
  'reopened',
  'pinned',
  'unpinned',
  ...appointmentSteps,
  'undone',
  ...unchangingKinds,
] as const
export type ChangeKind = (typeof changeKinds)[number]

export function isUnchanging(kind: ChangeKind): boolean {
  return (unchangingKinds as readonly ChangeKind[]).includes(kind)
}

/** `turned_away` as people read it. */
export function nameChange(kind: ChangeKind): string {
  return isStep(kind) ? stepNames[kind] : kind.replaceAll('_', ' ')
}

/** Where an appointment is: its documented status, and the last step of its truck. */
export interface Progress {
  status: AppointmentStatus
  /** Null before the truck arrives. */
  step: AppointmentStep | null
}

/** Which steps may follow each one. Steps may be left out, because not every site records all of them. */
const followingSteps: Record<AppointmentStep | 'none', readonly AppointmentStep[]> = {
  none: ['checked_in', 'at_door', 'loading', 'completed', 'no_show', 'turned_away'],
  checked_in: ['at_door', 'loading', 'completed', 'turned_away'],
  at_door: ['loading', 'completed', 'departed', 'turned_away'],
  loading: ['completed', 'departed', 'turned_away'],
  completed: ['departed'],
  departed: [],
  no_show: ['checked_in'],
  turned_away: ['checked_in'],
}

/** Steps after which there is no truck, so that the slot can be released, and the appointment moved. */
export function isAbsent(step: AppointmentStep | null): boolean {
  return step === 'no_show' || step === 'turned_away'
}

/**
 * Whether the visit was called off: cancelled before the truck came, or while it was there. The slot of a truck that did not come, or was
 * turned away, is cancelled too when it is released, but the appointment was kept for it.
 */
export function isCalledOff({ status, step }: Progress): boolean {
  return status === 'cancelled' && !isAbsent(step)
}

/** In words. The last step says more than the status, unless the appointment was cancelled after it. */
export function formatState(progress: Progress): string {
  const { status, step } = progress
  return step === null || isCalledOff(progress) ? status : stepNames[step]
}

export function isTruckAtDoor({ status, step }: Progress): boolean {
  return status === 'scheduled' && (step === 'at_door' || step === 'loading')
}

export function listFollowingSteps(progress: Progress): readonly AppointmentStep[] {
  return progress.status === 'cancelled' ? [] : followingSteps[progress.step ?? 'none']
}

/** The state after a step; null if the step may not follow. `releases` cancels the appointment, which frees its slot. */
export function takeStep(progress: Progress, step: AppointmentStep, releases = false): Progress | null {
  const isRelease = releases && step === progress.step && progress.status === 'scheduled'
  if (!isRelease && !listFollowingSteps(progress).includes(step)) return null
  if (releases) return { status: 'cancelled', step }
  return { status: step === 'completed' || step === 'departed' ? 'completed' : progress.status, step }
}

/** The step after an appointment was moved: a truck that did not come, or was turned away, is expected again. */
export function expectAgain(step: AppointmentStep | null): AppointmentStep | null {
  return isAbsent(step) ? null : step
}

/** A change of an appointment, as far as its steps depend on it. */
export interface StepChange {
  kind: ChangeKind
  details: { changes?: Record<string, [before: unknown, after: unknown]>; isCorrection?: boolean } | null
}

/** The steps of the present visit that have not been undone, from the whole history, oldest first. */
export function listTakenSteps<Change extends StepChange>(history: readonly Change[]): Change[] {
  return listVisits(history).at(-1)!
}

/** The steps of each visit that have not been undone. A visit ends when the appointment is moved after its truck did not come or was turned away. */
export function listVisits<Change extends StepChange>(history: readonly Change[]): Change[][] {
  let taken: Change[] = []
  const visits = [taken]
  for (const change of history) {
    if (isStep(change.kind)) {
      if (change.details?.isCorrection) taken.pop()
      taken.push(change)
    } else if (change.kind === 'undone') taken.pop()
    else if (change.kind === 'reopened') while (isCompletion(taken.at(-1)?.kind)) taken.pop()
    else if (change.details?.changes?.['step']) {
      taken = []
      visits.push(taken)
    }
  }
  return visits
}

function isStep(kind: ChangeKind): kind is AppointmentStep {
  return (appointmentSteps as readonly string[]).includes(kind)
}

const isCompletion = (kind: ChangeKind | undefined) => kind === 'completed' || kind === 'departed'

/** The state before the last of the taken steps; null if there is none, or if the appointment was cancelled after it. */
export function undoStep(progress: Progress, taken: readonly StepChange[]): Progress | null {
  const last = taken.at(-1)
  const [before, after] = last?.details?.changes?.['status'] ?? []
  if (!last || (progress.status === 'cancelled' && after !== 'cancelled')) return null
  const step = (taken.at(-2)?.kind ?? null) as AppointmentStep | null
  return { status: (before as AppointmentStatus | undefined) ?? progress.status, step }
}

/** The state before the completion of a completed appointment. */
export function reopen(taken: readonly StepChange[]): Progress {
  const last = taken.findLast(({ kind }) => !isCompletion(kind))
  return { status: 'scheduled', step: (last?.kind ?? null) as AppointmentStep | null }
}
