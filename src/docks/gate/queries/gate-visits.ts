import { precompileQuery, type ReadTx, type WriteTx } from '../../../storage'
import type { Span } from '../../booking/rules/spans'
import { docksTables } from '../../queries/docks-tables'
import type { GateVisitTable } from '../migrations'

/** Stores the visit of a page, and removes those that have expired. */
export async function insertGateVisit(tx: WriteTx, visit: GateVisitTable, now: number): Promise<void> {
  await docksTables(tx).deleteFrom('gate_visit').where('expires_at', '<=', now).execute()
  await docksTables(tx).insertInto('gate_visit').values(visit).execute()
}

export async function findGateVisit(tx: ReadTx, hash: string, now: number): Promise<GateVisitTable | null> {
  const [row] = await runFind(tx, { hash, now })
  return row ?? null
}

const runFind = precompileQuery((tx, { hash, now }: { hash: string; now: number }) =>
  docksTables(tx).selectFrom('gate_visit').selectAll().where('hash', '=', hash).where('expires_at', '>', now),
)

/** The trucks that have checked in and wait for a door, in the order of their appointments, then of their arrival. */
export async function listWaitingTrucks(tx: ReadTx, facilityId: string, span: Span): Promise<string[]> {
  return (await runWaiting(tx, { facilityId, ...span })).map(({ id }) => id)
}

const runWaiting = precompileQuery((tx, { facilityId, from, to }: Span & { facilityId: string }) =>
  docksTables(tx)
    .selectFrom('appointment')
    .select('id')
    .where('facility_id', '=', facilityId)
    .where('start_at', '>=', from)
    .where('start_at', '<', to)
    .where('status', '=', 'scheduled')
    .where('step', '=', 'checked_in')
    .orderBy('start_at')
    .orderBy((row) =>
      row
        .selectFrom('appointment_change')
        .select(({ fn }) => fn.max('at').as('at'))
        .whereRef('appointment_id', '=', 'appointment.id')
        .where('kind', '=', 'checked_in'),
    )
    .orderBy('id'),
)
