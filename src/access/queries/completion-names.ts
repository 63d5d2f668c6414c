import { compareValues } from '../../kernel/input/list-order'
import type { TableReader } from '../../storage/embedded/engine/table-reader'

export function readTenantNames(tables: TableReader): { value: string; name: string }[] {
  const names = [...tables.all<{ name: string }>('tenant', ['name'])].map(({ name }) => name)
  return names.sort(compareValues).map((value) => ({ value, name: '' }))
}
