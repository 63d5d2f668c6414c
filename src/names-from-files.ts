import { tenantNamesOnce } from './access/tenant-names-once'
import { appointmentNamesOnce, facilityNamesOnce } from './docks/queries/names-once'
import { workspaceNamesOnce } from './items/queries/names-once'
import { readWithRawSql } from './storage/read-with-raw-sql'

export type NamedKind = 'item' | 'draft' | 'folder' | 'filter' | 'facility' | 'appointment' | 'tenant'

/** What a kind of thing is called by, and what it is, for a process that does nothing else. Null and failures as of `readWithRawSql`. */
export function namesFromFiles(
  { database, steps, tenant }: { database: string; steps: number; tenant: string },
  kind: NamedKind,
  { beginning, most }: { beginning: string; most: number },
): Promise<{ value: string | number; name: string }[] | null> {
  return readWithRawSql(database, {
    steps,
    read(run) {
      if (kind === 'facility') return facilityNamesOnce(run, tenant)
      if (kind === 'appointment') return appointmentNamesOnce(run, tenant, most)
      if (kind === 'tenant') return tenantNamesOnce(run)
      return workspaceNamesOnce(run, kind, { beginning, most })
    },
  })
}
