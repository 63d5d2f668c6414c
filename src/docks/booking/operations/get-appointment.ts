import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import { formatInstant } from '../../../kernel/time'
import type { StorageContext } from '../../../storage'
import type { Facility } from '../../facilities/rules/facility'
import { type AppointmentRecord, hasTrailer, type StoredChange } from '../../queries'
import { Instant } from '../../schemas'
import { requireAppointment, requireFacility } from '../../services/tenant-access'
import { type AppointmentStep, appointmentSteps, listFollowingSteps } from '../../visits/rules/appointment-steps'
import { arrivals, computeVisitTimes, withoutStay } from '../../visits/rules/visit-times'
import { getStepTime, readTakenSteps } from '../../visits/services/visit-steps'
import { AppointmentId, ListedAppointment } from '../schemas'
import { presentListedAppointment } from '../services/present-appointment'

const Minutes = z.int().nullable()

const Visit = z.object({
  arrival: z.enum(arrivals).nullable().describe('Early or late by more than the grace period, or on time'),
  minutesAfterStart: Minutes.describe('From the start of the appointment to the check-in; negative if before'),
  waitMinutes: Minutes.describe('From the check-in to the door'),
  turnMinutes: Minutes.describe('From the door to the end of the work'),
  dwellMinutes: Minutes.describe('From the check-in to the departure'),
  detentionMinutes: Minutes.describe('How much of the stay is beyond the free time of the facility'),
  driverName: z.string().nullable(),
  licensePlate: z.string().nullable(),
  sealNumber: z.string().nullable(),
  steps: z
    .array(z.object({ step: z.enum(appointmentSteps), at: Instant, note: z.string().nullable() }))
    .describe('Oldest first, without undone ones'),
})

export const getAppointment = operation({
  id: 'appointments.get',
  summary: 'Show one appointment',
  effect: 'read',
  access: { docks: 'viewer', carriers: true },
  input: z.strictObject({ id: AppointmentId }),
  output: ListedAppointment.extend({
    visit: Visit.describe(
      'The truck: when it came, what happened, and how long it took; its wait and its stay are null if it dropped its trailer in the yard',
    ),
    nextSteps: z.array(z.enum(appointmentSteps)).describe('The steps that can be recorded next'),
    doorAnnouncedAt: Instant.nullable().describe(
      'When its contacts were last sent a message that names its door; null if they never were',
    ),
  }),
  errors: ['not_found'],
  http: { method: 'get', path: '/api/appointments/{id}', extension: true, cacheable: () => true },
  cli: {
    command: 'appointment get',
    args: ['id'],
    out: { about: 'Write the appointment to this file: .svg and .png are its reference as a QR code' },
    examples: [
      'studio appointment get 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 --json',
      'studio appointment get 5f0c9a5e-2c1b-4b7e-9d53-0f6f2a8f7a10 --out reference.svg',
    ],
    seeAlso: ['appointment list', 'appointment history', 'appointment update', 'reschedule', 'appointment cancel'],
  },
  run(ctx: Context & StorageContext, { id }) {
    return ctx.db.read(async (tx) => {
      const { appointment } = await requireAppointment(ctx, tx, id)
      const facility = await requireFacility(ctx, tx, { facilityId: appointment.facilityId })
      const taken = presentVisit(await readTakenSteps(tx, id), appointment, facility)
      const visit = (await hasTrailer(tx, id)) ? withoutStay(taken) : taken
      const nextSteps = [...listFollowingSteps(appointment)]
      const { doorAnnouncedAt } = appointment
      return {
        ...presentListedAppointment(appointment, facility.timeZone),
        visit,
        nextSteps,
        doorAnnouncedAt: doorAnnouncedAt === null ? null : formatInstant(doorAnnouncedAt),
      }
    })
  },
})

function presentVisit(
  taken: readonly StoredChange[],
  { startAt }: AppointmentRecord,
  facility: Facility,
): z.output<typeof Visit> {
  const steps = taken.map((change) => ({ kind: change.kind as AppointmentStep, at: getStepTime(change) }))
  const truck = taken.findLast(({ kind }) => kind === 'checked_in')?.details
  return {
    ...computeVisitTimes(steps, { ...facility, startAt }),
    driverName: truck?.driverName ?? null,
    licensePlate: truck?.licensePlate ?? null,
    sealNumber: truck?.sealNumber ?? null,
    steps: steps.map(({ kind, at }, index) => ({ step: kind, at: formatInstant(at), note: taken[index]!.note })),
  }
}
