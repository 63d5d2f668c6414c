import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createFacility } from '../../../src/docks/operations/create-facility'
import { appointmentsQuery, busySpansQuery, scheduledReferenceQuery, siteRecordQuery } from '../../../src/docks/queries'
import { type Database, type ReadTx, tables } from '../../../src/storage'
import { migrations } from '../../../src/studio'
import { describeWithPostgres } from '../../storage/postgres/server'
import { runOn } from '../../storage/run-on-database'
import { DC1 } from '../dock-fixtures'

const HOUR = 3_600_000
const FACILITIES = 40
const EACH = 500

/** Enough rows for the server to prefer an index. */
async function fill(db: Database): Promise<string> {
  const ids: string[] = []
  for (let i = 0; i < FACILITIES; i++) {
    const { id, doors } = await runOn(db, createFacility, { ...DC1, code: `F${i}` })
    ids.push(id)
    await db.write(async (tx) => {
      await sql`
        insert into appointment (id, tenant_id, facility_id, door_id, type, status, start_at, end_at, carrier_name,
          reference_number, created_at, updated_at, sequence)
        select ${id} || number, 't', ${id}, ${doors[0].id}, 'pickup', 'scheduled', number * ${sql.lit(HOUR)},
          (number + 1) * ${sql.lit(HOUR)}, 'Acme', 'PO-' || number, 0, 0, 0
        from generate_series(1, ${sql.lit(EACH)}) as number`.execute(tables<any>(tx))
    })
  }
  await db.write((tx) => sql`analyze appointment`.execute(tables<any>(tx)))
  return ids[7]!
}

describeWithPostgres('the indexes on PostgreSQL', (server) => {
  it('serve lookups and bookings without a scan of the table', async () => {
    const db = await server().openDatabase(migrations)
    const facilityId = await fill(db)
    const span = { from: 100 * HOUR, to: 110 * HOUR }
    const queries = (tx: ReadTx) => [
      busySpansQuery(tx, { facilityId, after: 76 * HOUR, ...span }),
      scheduledReferenceQuery(tx, { facilityId, referenceNumber: 'PO-7' }),
      appointmentsQuery(tx, { facilityId, starting: null, referenceNumber: 'PO-7', status: null }),
      appointmentsQuery(tx, { facilityId, starting: span, referenceNumber: null, status: null }),
    ]
    for (let i = 0; i < 4; i++) {
      const plan = JSON.stringify(await db.read((tx) => queries(tx)[i]!.explain()))
      expect(plan).not.toMatch(/Seq Scan on appointment/)
      expect(plan).toMatch(/appointment_(occupancy|reference|scheduled_reference|door)/)
    }
    const asked = { facilityId, referenceNumber: 'PO-7', after: 76 * HOUR, ...span, now: 0 }
    const site = await db.read((tx) =>
      sql`explain (format json) ${siteRecordQuery(tx, asked)}`.execute(tables<any>(tx)),
    )
    const plan = JSON.stringify(site.rows)
    expect(plan).not.toMatch(/"Seq Scan","[^}]*"Relation Name":"appointment"/)
    expect(plan).toMatch(/appointment_occupancy/)
    expect(plan).toMatch(/appointment_(reference|scheduled_reference)/)
  })
})
