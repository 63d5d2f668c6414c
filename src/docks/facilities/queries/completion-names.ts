import type { RunSql } from '../../../storage/embedded/engine/read-with-raw-sql'

interface Named {
  value: string
  name: string
}

/** The facilities of a tenant, by code. */
export function readFacilityNames(run: RunSql, tenant: string): Named[] {
  return run<Named>(
    `select facility.code as value, facility.name from facility join tenant on tenant.id = facility.tenant_id
     where tenant.name = ? and facility.archived_at is null order by facility.code`,
    [tenant],
  ).rows
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
