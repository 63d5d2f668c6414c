import { readTenantNames } from './access/queries/completion-names'
import { readAppointmentNames, readFacilityNames } from './docks/facilities/queries/completion-names'
import { readDraftNames } from './drafts/queries/completion-names'
import { readItemNames } from './items/queries/completion-names'
import { readWithRawSql } from './storage/embedded/engine/read-with-raw-sql'

export type NamedKind = 'item' | 'draft' | 'folder' | 'filter' | 'view' | 'facility' | 'appointment' | 'tenant'

/** The stored names of a kind, for a process that does nothing else. Null and failures as of `readWithRawSql`. */
export function namesFromFiles(
  { database, steps, tenant }: { database: string; steps: number; tenant: string },
  kind: NamedKind,
  { beginning, most }: { beginning: string; most: number },
): Promise<{ value: string | number; name: string }[] | null> {
  return readWithRawSql(database, {
    steps,
    read(run) {
      if (kind === 'facility') return readFacilityNames(run, tenant)
      if (kind === 'appointment') return readAppointmentNames(run, tenant, most)
      if (kind === 'tenant') return readTenantNames(run)
      if (kind !== 'item' && !/^\d*$/.test(beginning)) return []
      return kind === 'draft' || kind === 'folder'
        ? readDraftNames(run, kind, { digits: beginning, limit: most })
        : readItemNames(run, kind, { beginning, limit: most })
    },
  })
}
