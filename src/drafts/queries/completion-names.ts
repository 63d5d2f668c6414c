import type { TableReader } from '../../storage/embedded/engine/table-reader'

/** Drafts or folders whose ID begins with `digits`, newest first. */
export function readDraftNames(
  tables: TableReader,
  kind: 'draft' | 'folder',
  { digits, limit }: { digits: string; limit: number },
): { value: number; name: string }[] {
  const rows =
    kind === 'draft'
      ? tables.newest<{ id: number; title: string }>('draft', ['id', 'title'])
      : tables.newest<{ id: number; name: string }>('folder', ['id', 'name'])
  const found: { value: number; name: string }[] = []
  for (const row of rows) {
    if (found.length === limit) break
    if (String(row.id).startsWith(digits)) found.push({ value: row.id, name: 'title' in row ? row.title : row.name })
  }
  return found
}
