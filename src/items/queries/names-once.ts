import type { RunSql } from '../../storage/read-with-raw-sql'

interface Named {
  value: string | number
  name: string
}

const SELECTS = {
  item: 'select id as value, title as name from work_item where cast(id as text) like ? order by id desc limit ?',
  draft: 'select id as value, title as name from draft where cast(id as text) like ? order by id desc limit ?',
  folder: 'select id as value, name from folder where cast(id as text) like ? order by id desc limit ?',
  filter: 'select id as value, name from saved_filter where cast(id as text) like ? order by id desc limit ?',
}

/** IDs that begin so, with what they stand for. */
export function workspaceNamesOnce(
  run: RunSql,
  kind: keyof typeof SELECTS,
  { beginning, most }: { beginning: string; most: number },
): Named[] {
  if (!/^\d*$/.test(beginning)) return []
  return run<Named>(SELECTS[kind], [`${beginning}%`, most]).rows
}
