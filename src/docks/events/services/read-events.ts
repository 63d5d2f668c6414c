import * as z from 'zod'
import { formatInstant } from '../../../kernel/time'
import type { ReadTx } from '../../../storage'
import { siteKeys } from '../../booking/rules/load-fields'
import { ListedAppointment } from '../../booking/schemas'
import { presentListedAppointment } from '../../booking/services/present-appointment'
import { ChangeFacts, presentChange } from '../../booking/services/present-change'
import {
  type AppointmentRecord,
  type Delivery,
  findAppointmentsById,
  findTimeZones,
  findWaitlistEvents,
  listChangesSince,
  type StoredChange,
} from '../../queries'
import { Instant } from '../../schemas'
import { isUnchanging } from '../../visits/rules/appointment-steps'
import type { WaitlistEvent } from '../../waitlist/schemas'
import { appointmentEventTypes, type EventSource, formatEventId, isWaitlistType } from '../rules/event-types'

/** A change of an appointment as the systems of a tenant get it. */
export const AppointmentEvent = z.object({
  event: z.enum(appointmentEventTypes).describe('What was done'),
  id: z.int().describe('Higher than that of every earlier event of the appointment'),
  timestamp: Instant.describe('When it was changed'),
  data: z.object({
    appointment: ListedAppointment.describe('The appointment as this change left it'),
    ...ChangeFacts.shape,
  }),
})
export type AppointmentEvent = z.output<typeof AppointmentEvent>

/** The events of these changes, by ID. */
export async function readEvents(
  tx: ReadTx,
  changes: readonly { changeId: number; appointmentId: string }[],
): Promise<Map<number, AppointmentEvent>> {
  if (changes.length === 0) return new Map()
  const wanted = new Set(changes.map(({ changeId }) => changeId))
  const appointmentIds = [...new Set(changes.map(({ appointmentId }) => appointmentId))]
  const since = await listChangesSince(tx, { appointmentIds, since: Math.min(...wanted) })
  const records = await findAppointmentsById(tx, appointmentIds)
  const timeZones = await findTimeZones(tx, [...new Set(records.map(({ facilityId }) => facilityId))])
  const current = new Map(records.map((record) => [record.id, record]))
  const events = new Map<number, AppointmentEvent>()
  for (const change of since.reverse()) {
    const updatedAt = change.details?.lastChangedAt ?? change.at
    const after = { ...current.get(change.appointmentId)!, updatedAt }
    current.set(change.appointmentId, undoChange(after, change))
    if (!wanted.has(change.id)) continue
    events.set(change.id, {
      event: `appointment.${change.kind}`,
      id: change.id,
      timestamp: formatInstant(change.at),
      data: {
        appointment: presentListedAppointment(after, timeZones.get(after.facilityId)!),
        ...presentChange(change),
      },
    })
  }
  return events
}

/** What is sent to a webhook: a change of an appointment, or what happened to an entry of the waitlist. */
export type DockEvent = AppointmentEvent | WaitlistEvent

/** The events of these deliveries, by the IDs of `formatEventId`. */
export async function readDockEvents(
  tx: ReadTx,
  deliveries: readonly Pick<Delivery, 'source' | 'eventId' | 'subjectId'>[],
): Promise<Map<string, DockEvent>> {
  const of = (source: EventSource) => deliveries.filter((each) => each.source === source)
  const changes = of('appointment').map(({ eventId, subjectId }) => ({ changeId: eventId, appointmentId: subjectId }))
  const appointmentEvents = await readEvents(tx, changes)
  const waitlistEvents = await findWaitlistEvents(
    tx,
    of('waitlist').map(({ eventId }) => eventId),
  )
  return new Map<string, DockEvent>([
    ...[...appointmentEvents].map(([id, event]) => [formatEventId('appointment', id), event] as const),
    ...waitlistEvents.map(({ id, event }) => [formatEventId('waitlist', id), { ...JSON.parse(event), id }] as const),
  ])
}

export function isWaitlistEvent(event: DockEvent): event is WaitlistEvent {
  return isWaitlistType(event.event)
}

/** The event as a reader sees it who does not belong to the site. */
export function showToOutsider(event: DockEvent): DockEvent {
  if (!isWaitlistEvent(event)) return showEventToCarrier(event)
  return { ...event, data: { ...event.data, entry: { ...event.data.entry, siteFields: null } } }
}

/** The event as a carrier reads it. */
export function showEventToCarrier(event: AppointmentEvent): AppointmentEvent {
  const { appointment, changes, ...facts } = event.data
  const shown = changes.filter(({ field }) => !siteKeys.includes(field))
  return {
    ...event,
    data: { ...facts, madeRoomFor: null, appointment: { ...appointment, siteFields: {} }, changes: shown },
  }
}

/** The appointment as it was before the change. */
function undoChange(after: AppointmentRecord, { kind, details }: StoredChange): AppointmentRecord {
  if (isUnchanging(kind)) return after
  const before = Object.entries(details?.changes ?? {}).map(([field, [value]]) => [field, value])
  return { ...after, ...Object.fromEntries(before), sequence: after.sequence - 1 }
}
