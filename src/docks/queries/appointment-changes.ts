import { precompileQuery, type ReadTx, type WriteTx } from '../../storage'
import type { ChangeKind } from '../rules/appointment-steps'
import { docksTables } from './docks-tables'

/** What a change of an appointment was, who made it, and when. */
export interface AppointmentChange {
  kind: ChangeKind
  /** Epoch milliseconds. */
  at: number
  /** ID of the tenant key; otherwise the kind of the caller. */
  caller: string
  note?: string | null
  details?: ChangeDetails | null
}

export interface ChangeDetails {
  /** How it was booked, if not by a booking. */
  source?: 'import' | 'hold' | 'series'
  /** When a step happened, if that was before it was recorded. */
  occurredAt?: number
  driverName?: string | null
  licensePlate?: string | null
  sealNumber?: string | null
  /** Each changed field with its value before and after. */
  changes?: Record<string, [before: unknown, after: unknown]>
}

/** The ID is higher than those of all changes before. On a server this is certain for the changes of one facility only. */
export type StoredChange = Required<AppointmentChange> & { id: number }

/** Adds a change to the history. Called by the functions that write appointments, so that none is missing. */
export async function insertChange(
  tx: WriteTx,
  appointmentId: string,
  { note = null, details = null, ...change }: AppointmentChange,
): Promise<void> {
  await runInsert(tx, { appointmentId, ...change, note, details: details && JSON.stringify(details) })
}

interface ChangeRow extends Omit<StoredChange, 'id' | 'details'> {
  appointmentId: string
  details: string | null
}

const runInsert = precompileQuery((tx, { appointmentId, kind, at, caller, note, details }: ChangeRow) =>
  docksTables(tx)
    .insertInto('appointment_change')
    .values({ appointment_id: appointmentId, kind, at, caller, note, details }),
)

/** The changes of an appointment, oldest first. */
export async function listChanges(tx: ReadTx, appointmentId: string): Promise<StoredChange[]> {
  const rows = await docksTables(tx)
    .selectFrom('appointment_change')
    .select(['id', 'kind', 'at', 'caller', 'note', 'details'])
    .where('appointment_id', '=', appointmentId)
    .orderBy('id')
    .execute()
  return rows.map(({ details, ...row }) => ({ ...row, details: details === null ? null : JSON.parse(details) }))
}
