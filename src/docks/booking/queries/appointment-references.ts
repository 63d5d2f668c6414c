import { chunksOf } from '../../../kernel/work/chunks'
import { precompileQuery, type ReadTx, type WriteTx } from '../../../storage'
import { docksTables } from '../../queries/docks-tables'
import { listNumbers } from '../rules/references'

/** Engines limit the number of values in a statement. */
const MAX_VALUES = 200

interface Referenced {
  id: string
  facilityId: string
  referenceNumber: string
  references: string | null
}

/** Stores by which references beside its first one an appointment is found. */
export async function insertReferences(tx: WriteTx, appointment: Referenced): Promise<void> {
  const { id, facilityId } = appointment
  const [, ...others] = listNumbers(appointment)
  for (const part of chunksOf(others, MAX_VALUES))
    await docksTables(tx)
      .insertInto('appointment_reference')
      .values(part.map((number) => ({ appointment_id: id, facility_id: facilityId, reference_number: number })))
      .execute()
}

export async function replaceReferences(tx: WriteTx, appointment: Referenced): Promise<void> {
  await removeReferences(tx, [appointment.id])
  await insertReferences(tx, appointment)
}

export async function removeReferences(tx: WriteTx, appointmentIds: readonly string[]): Promise<void> {
  await docksTables(tx).deleteFrom('appointment_reference').where('appointment_id', 'in', appointmentIds).execute()
}

/** The appointments that have the reference, but not as their first one. */
export async function listReferencing(tx: ReadTx, facilityId: string, referenceNumber: string): Promise<string[]> {
  const rows = await runReferencing(tx, { facilityId, referenceNumber })
  return rows.map(({ id }) => id)
}

const runReferencing = precompileQuery((tx, params: { facilityId: string; referenceNumber: string }) =>
  docksTables(tx)
    .selectFrom('appointment_reference')
    .select('appointment_id as id')
    .where('facility_id', '=', params.facilityId)
    .where('reference_number', '=', params.referenceNumber),
)

/** The scheduled appointments that have one of the references, with the reference. */
export async function listScheduledWith(
  tx: ReadTx,
  facilityId: string,
  numbers: readonly string[],
): Promise<{ id: string; number: string; carrierName: string }[]> {
  const found: { id: string; number: string; carrierName: string }[] = []
  for (const part of chunksOf(numbers, MAX_VALUES)) {
    found.push(...(await scheduledFirstQuery(tx, facilityId, part).execute()))
    found.push(...(await scheduledOthersQuery(tx, facilityId, part).execute()))
  }
  return found
}

export function scheduledFirstQuery(tx: ReadTx, facilityId: string, numbers: readonly string[]) {
  return docksTables(tx)
    .selectFrom('appointment')
    .select(['id', 'reference_number as number', 'carrier_name as carrierName'])
    .where('status', '=', 'scheduled')
    .where('facility_id', '=', facilityId)
    .where('reference_number', 'in', numbers)
}

export function scheduledOthersQuery(tx: ReadTx, facilityId: string, numbers: readonly string[]) {
  return (
    docksTables(tx)
      .selectFrom('appointment_reference as other')
      .innerJoin('appointment', 'appointment.id', 'other.appointment_id')
      .select(['appointment.id', 'other.reference_number as number', 'appointment.carrier_name as carrierName'])
      .where('appointment.status', '=', 'scheduled')
      .where('other.facility_id', '=', facilityId)
      // Also of the appointment, so that a partition is found by it.
      .where('appointment.facility_id', '=', facilityId)
      .where('other.reference_number', 'in', numbers)
  )
}
