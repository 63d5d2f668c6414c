import { readTenantNames } from './access/queries/completion-names'
import { readFacilityNames } from './docks/facilities/queries/completion-names'
import { readDraftNames } from './drafts/queries/completion-names'
import { readItemNames } from './items/queries/completion-names'
import { readTables } from './storage/embedded/engine/read-tables'

export type NamedKind =
  | 'item'
  | 'draft'
  | 'folder'
  | 'filter'
  | 'view'
  | 'facility'
  | 'appointment'
  | 'tenant'
  | 'field'

/** The stored names of a kind, for a process that does nothing else. Null and failures as of `readTables`. */
export async function namesFromFiles(
  { database, steps, tenant }: { database: string; steps: number; tenant: string },
  kind: Exclude<NamedKind, 'appointment'>,
  { beginning, most }: { beginning: string; most: number },
): Promise<{ value: string | number; name: string }[] | null> {
  // Loaded for this alone, because it knows how fields are read.
  const assignments = kind === 'field' ? await import('./items/queries/field-completion') : null
  return readTables(database, {
    steps,
    read(tables) {
      if (kind === 'facility') return readFacilityNames(tables, tenant)
      if (kind === 'field') return assignments!.readAssignments(tables, { beginning, limit: most })
      if (kind === 'tenant') return readTenantNames(tables)
      if (kind !== 'item' && !/^\d*$/.test(beginning)) return []
      return kind === 'draft' || kind === 'folder'
        ? readDraftNames(tables, kind, { digits: beginning, limit: most })
        : readItemNames(tables, kind, { beginning, limit: most })
    },
  })
}
