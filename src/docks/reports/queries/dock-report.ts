import type { ReadTx, WriteTx } from '../../../storage'
import type { ChangeDetails } from '../../booking/queries/appointment-changes'
import type { Span } from '../../booking/rules/spans'
import type { AppointmentType } from '../../facilities/rules/facility'
import { docksTables } from '../../queries/docks-tables'
import type { ChangeKind } from '../../visits/rules/appointment-steps'
import type { CountedAppointment } from '../rules/dock-figures'

/** All appointments of a facility that start within a span, cancelled ones too. */
export function listStartingAppointments(
  tx: ReadTx,
  facilityId: string,
  { from, to }: Span,
): Promise<(Omit<CountedAppointment, 'visit'> & { id: string; trailerStepId: number | null })[]> {
  return (
    docksTables(tx)
      .selectFrom('appointment')
      .innerJoin('door', 'door.id', 'appointment.door_id')
      .select([
        'appointment.id',
        'appointment.door_id as doorId',
        'door.name as doorName',
        'appointment.status',
        'appointment.step',
        'appointment.start_at as from',
        'appointment.end_at as to',
        'appointment.carrier_name as carrierName',
        'appointment.pallet_count as palletCount',
        'appointment.created_at as createdAt',
      ])
      // One of them, of a trailer that has or had the appointment.
      .select(({ selectFrom }) =>
        selectFrom('trailer_step')
          .select('trailer_step.id')
          .whereRef('trailer_step.appointment_id', '=', 'appointment.id')
          .where('trailer_step.undone_at', 'is', null)
          .limit(1)
          .as('trailerStepId'),
      )
      .where('appointment.facility_id', '=', facilityId)
      .where('appointment.start_at', '>=', from)
      .where('appointment.start_at', '<', to)
      .execute()
  )
}

export interface VisitChange {
  appointmentId: string
  kind: ChangeKind
  at: number
  details: ChangeDetails | null
}

/** The changes of the appointments that start within a span, but for bookings, changed loads, reminders and attachments, oldest first. */
export async function listVisitChanges(tx: ReadTx, facilityId: string, { from, to }: Span): Promise<VisitChange[]> {
  const rows = await docksTables(tx)
    .selectFrom('appointment')
    .innerJoin('appointment_change', 'appointment_change.appointment_id', 'appointment.id')
    .select([
      'appointment.id as appointmentId',
      'appointment_change.kind',
      'appointment_change.at',
      'appointment_change.details',
    ])
    .where('appointment.facility_id', '=', facilityId)
    .where('appointment.start_at', '>=', from)
    .where('appointment.start_at', '<', to)
    .where('appointment_change.kind', 'not in', ['booked', 'updated', 'reminded', 'file_added', 'file_removed'])
    .orderBy('appointment_change.id')
    .execute()
  return rows.map(({ details, ...row }) => ({ ...row, details: details === null ? null : JSON.parse(details) }))
}

export interface RefusedRequests {
  type: AppointmentType
  reason: string
  count: number
}

/** Adds one to the refused requests of a date. */
export async function countRefusedRequest(
  tx: WriteTx,
  facilityId: string,
  { day, type, reason }: { day: number; type: AppointmentType; reason: string },
): Promise<void> {
  await docksTables(tx)
    .insertInto('refused_request')
    .values({ facility_id: facilityId, day, type, reason, count: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['facility_id', 'day', 'type', 'reason'])
        .doUpdateSet((row) => ({ count: row('refused_request.count', '+', 1) })),
    )
    .execute()
}

/** The refused requests of the dates on which they were made, the most frequent first. */
export async function listRefusedRequests(
  tx: ReadTx,
  facilityId: string,
  { first, last }: { first: number; last: number },
): Promise<RefusedRequests[]> {
  const rows = await docksTables(tx)
    .selectFrom('refused_request')
    .select((row) => ['type', 'reason', row.fn.sum<number>('count').as('count')])
    .where('facility_id', '=', facilityId)
    .where('day', '>=', first)
    .where('day', '<=', last)
    .groupBy(['type', 'reason'])
    .execute()
  return rows
    .map((row) => ({ ...row, count: Number(row.count) }))
    .sort((a, b) => b.count - a.count || (a.type + a.reason < b.type + b.reason ? -1 : 1))
}
