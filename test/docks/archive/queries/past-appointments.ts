import { sql } from 'kysely'
import { createFacility } from '../../../../src/docks/facilities/operations/create-facility'
import { HOUR_MS } from '../../../../src/kernel/time'
import { type Database, getEngine, tables } from '../../../../src/storage'
import { runOn } from '../../../storage/run-on-database'
import { DC1 } from '../../dock-fixtures'

export const NOW = Date.parse('2026-11-16T14:00:00Z')
const DOORS = ['A', 'B'].map((name) => ({ name }))

/** Creates facilities with the same number of appointments each, one after the other until now, with the rows that belong to them. */
export async function addPastAppointments(
  db: Database,
  { facilities, each }: { facilities: number; each: number },
): Promise<void> {
  for (let i = 0; i < facilities; i++) await runOn(db, createFacility, { ...DC1, code: `F${i}`, doors: DOORS })
  await db.write(
    async (tx) => {
      const all = tables<any>(tx)
      const isServer = getEngine(tx) === 'postgres'
      // They check each row against others, which takes long and finds nothing here.
      if (isServer) await sql`alter table appointment disable trigger user`.execute(all)
      const numbers = sql`with recursive numbers(number) as (select cast(1 as bigint) union all select number + 1 from numbers where number < ${sql.lit(each)})`
      await sql`
        insert into appointment (id, tenant_id, facility_id, door_id, type, status, start_at, end_at, carrier_name,
          reference_number, created_at, updated_at, sequence, step)
        ${numbers}
        select facility.id || '-' || number, tenant_id, facility.id, door.id, 'pickup',
          case when number < 100 then 'scheduled' else 'completed' end, ${sql.lit(NOW)} - number * ${sql.lit(HOUR_MS)},
          ${sql.lit(NOW)} - (number - 1) * ${sql.lit(HOUR_MS)}, 'Acme', 'OLD-' || number, 0, 0, 1, 'completed'
        from facility inner join door on door.facility_id = facility.id and door.name = 'A', numbers`.execute(all)
      const list = sql`'[{"number":"' || reference_number || '","pallets":null,"pieces":null},{"number":"ALSO-' || id || '","pallets":null,"pieces":null}]'`
      await sql`update appointment set reference_list = ${list}`.execute(all)
      await sql`
        insert into appointment_reference (facility_id, reference_number, appointment_id)
        select facility_id, 'ALSO-' || id, id from appointment`.execute(all)
      await sql`
        insert into appointment_change (appointment_id, kind, at, caller)
        select id, 'booked', start_at, 'terminal' from appointment`.execute(all)
      await sql`
        insert into appointment_attachment (id, appointment_id, name, type, bytes, sha256, added_at, caller)
        select 'file-' || id, id, 'bol.pdf', 'application/pdf', 3, '', 0, 'terminal' from appointment`.execute(all)
      await sql`
        insert into attachment_part (attachment_id, part, content)
        select id, 0, ${Buffer.from('PDF')} from appointment_attachment`.execute(all)
      await sql`
        insert into imported_row (facility_id, row_hash, import_id, appointment_id, imported_at)
        select facility_id, id, 'import', id, 0 from appointment`.execute(all)
      await sql`
        insert into series (id, tenant_id, facility_id, terms, created_at)
        select id, tenant_id, id, '{}', 0 from facility`.execute(all)
      await sql`
        insert into series_occurrence (series_id, date, outcome, appointment_id)
        select facility_id, reference_number, 'booked', id from appointment`.execute(all)
      await sql`
        insert into webhook (id, tenant_id, url, secret, created_at)
        select 'hook', tenant_id, 'https://example.com', '', 0 from facility limit 1`.execute(all)
      await sql`
        insert into webhook_delivery (webhook_id, source, event_id, subject_id, attempts, due_at, dead_at)
        select 'hook', 'appointment', id, appointment_id, 0, at, case when id % 1000 = 0 then null else at end from appointment_change where id % 10 = 0`.execute(
        all,
      )
      if (isServer) {
        await sql`alter table appointment enable trigger user`.execute(all)
        await sql`analyze`.execute(all)
      }
    },
    { changesSchema: true },
  )
}
