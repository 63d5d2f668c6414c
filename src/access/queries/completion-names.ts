import type { RunSql } from '../../storage/embedded/engine/read-with-raw-sql'

export function readTenantNames(run: RunSql): { value: string; name: string }[] {
  return run<{ value: string; name: string }>(`select name as value, '' as name from tenant order by name`).rows
}
