import { type Context, hint, StudioError, suggest } from '../../../kernel'
import { MINUTE_MS } from '../../../kernel/time'
import type { WriteTx } from '../../../storage'
import type { Facility } from '../../facilities/rules/facility'
import { type AppointmentRecord, type ChangeDetails, type StoredChange, saveAppointment } from '../../queries'
import { formatLocalDateTime } from '../../rules/zoned-time'
import { createChange } from '../../services/tenant-access'
import { stepNames } from '../rules/appointment-steps'

/** What a check-in says of the truck, with the word for it. */
const truckFacts = { driverName: 'driver', licensePlate: 'plate', sealNumber: 'seal' } as const
type Truck = Pick<ChangeDetails, keyof typeof truckFacts>

interface RepeatedStep {
  appointment: AppointmentRecord
  facility: Facility
  /** The step as it is recorded. */
  recorded: StoredChange
  recordedAt: number
  /** What the repetition says; null where it says nothing. */
  at: number | null
  note: string | null
  reason: string | null
  truck: Truck
}

/**
 * A step that is recorded again: nothing that the call says is dropped in silence. What a check-in says of the truck is corrected, with an
 * entry in the history. The time and the reason of a step, and the note of any other step, can only be corrected by undoing it. Returns the message.
 */
export async function repeatStep(
  ctx: Pick<Context, 'actor' | 'clock'>,
  tx: WriteTx,
  { appointment, facility, recorded, recordedAt, at, note, reason, truck }: RepeatedStep,
): Promise<string> {
  const { id, referenceNumber, facilityCode } = appointment
  const step = appointment.step!
  const name = `${referenceNumber} at ${facilityCode}`
  const isCheckIn = step === 'checked_in'
  const hasNewNote = note !== null && note !== recorded.note
  const hasNewTime = at !== null && Math.floor(at / MINUTE_MS) !== Math.floor(recordedAt / MINUTE_MS)
  const hasNewReason = reason !== null && reason.toLowerCase() !== recorded.details?.reason?.toLowerCase()
  if (hasNewTime || hasNewReason || (hasNewNote && !isCheckIn)) {
    const when = `${formatLocalDateTime(facility.timeZone, recordedAt)} (${facility.timeZone})`
    throw new StudioError('invalid_state', `The step ${step} of ${name} is recorded already, at ${when}.`, {
      hint: hint`To correct it, undo the step and record it again: ${suggest('appointments.undo-step', { id })}`,
    })
  }
  const known = recorded.details ?? {}
  const changed = (Object.keys(truckFacts) as (keyof Truck)[]).filter(
    (field) => truck[field] != null && truck[field] !== known[field],
  )
  if (changed.length === 0 && !hasNewNote) return `Nothing was changed: the last step of ${name} is ${step} already.`
  const details: ChangeDetails = { occurredAt: recordedAt, isCorrection: true }
  for (const field of Object.keys(truckFacts) as (keyof Truck)[]) {
    const value = truck[field] ?? known[field]
    if (value != null) details[field] = value
  }
  const change = { ...createChange(ctx, step), note: note ?? recorded.note, details }
  await saveAppointment(tx, { before: appointment, after: appointment }, change)
  const facts = changed.map((field) => {
    const before = known[field]
    return before == null
      ? `${truckFacts[field]} ${truck[field]}`
      : `${truckFacts[field]} ${truck[field]} instead of ${before}`
  })
  const said = [...facts, ...(hasNewNote ? ['note'] : [])].join(', ')
  return `Corrected for ${name}, which is ${stepNames[step]} already: ${said}.`
}
