import { compareValues } from '../../../kernel/input/list-order'
import type { RunSql } from '../../../storage/embedded/engine/read-with-raw-sql'
import type { TableReader } from '../../../storage/embedded/engine/table-reader'

interface Named {
  value: string
  name: string
}

interface FacilityRow {
  tenant_id: string
  code: string
  name: string
  archived_at: number | null
}

/** The facilities of a tenant, by code. */
export function readFacilityNames(tables: TableReader, tenant: string): Named[] {
  const found: Named[] = []
  for (const { id, name: tenantName } of tables.all<{ id: string; name: string }>('tenant', ['id', 'name'])) {
    if (tenantName !== tenant) continue
    for (const row of tables.all<FacilityRow>('facility', ['tenant_id', 'code', 'name', 'archived_at']))
      if (row.tenant_id === id && row.archived_at === null) found.push({ value: row.code, name: row.name })
  }
  return found.sort((a, b) => compareValues(a.value, b.value))
}

/** The scheduled appointments of a tenant, by start. */
export function readAppointmentNames(run: RunSql, tenant: string, most: number): Named[] {
  return run<Named>(
    `select appointment.id as value, reference_number || ' ' || carrier_name as name
     from appointment join tenant on tenant.id = appointment.tenant_id
     where tenant.name = ? and status = 'scheduled' order by start_at limit ?`,
    [tenant, most],
  ).rows
}
