import type { RunSql } from '../../storage/embedded/read-with-raw-sql'

const SELECTS = {
  item: 'select id as value, title as name from work_item where cast(id as text) like ? order by id desc limit ?',
  filter:
    'select id as value, name from saved_filter where columns is null and cast(id as text) like ? order by id desc limit ?',
  view: 'select id as value, name from saved_filter where columns is not null and cast(id as text) like ? order by id desc limit ?',
}

/** Work items, saved filters or views whose ID begins with `digits`, newest first. */
export function readItemNames(
  run: RunSql,
  kind: keyof typeof SELECTS,
  { digits, limit }: { digits: string; limit: number },
): { value: number; name: string }[] {
  return run<{ value: number; name: string }>(SELECTS[kind], [`${digits}%`, limit]).rows
}
