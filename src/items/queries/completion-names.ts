import type { TableReader } from '../../storage/embedded/engine/table-reader'

interface Named {
  value: number | string
  name: string
}

/** Work items, saved filters or views whose ID or reference begins with a text, newest first. */
export function readItemNames(
  tables: TableReader,
  kind: 'item' | 'filter' | 'view',
  { beginning, limit }: { beginning: string; limit: number },
): Named[] {
  const found: Named[] = []
  for (const named of kind === 'item' ? readItems(tables) : readFilters(tables, kind)) {
    if (found.length === limit) break
    // As SQL compares: letters of either case are equal.
    if (String(named.value).slice(0, beginning.length).toLowerCase() === beginning.toLowerCase()) found.push(named)
  }
  return found
}

function* readItems(tables: TableReader): Generator<Named> {
  const columns = ['id', 'reference', 'title'] as const
  for (const row of tables.newest<{ id: number; reference: string | null; title: string }>('work_item', columns))
    yield { value: row.reference ?? String(row.id), name: row.title }
}

function* readFilters(tables: TableReader, kind: 'filter' | 'view'): Generator<Named> {
  const columns = ['id', 'name', 'columns'] as const
  for (const row of tables.newest<{ id: number; name: string; columns: string | null }>('saved_filter', columns))
    if ((row.columns === null) === (kind === 'filter')) yield { value: row.id, name: row.name }
}
