import type { RunSql } from '../../storage/embedded/engine/read-with-raw-sql'

const SELECTS = {
  item: 'select coalesce(reference, cast(id as text)) as value, title as name from work_item where coalesce(reference, cast(id as text)) like ? order by id desc limit ?',
  filter:
    'select id as value, name from saved_filter where columns is null and cast(id as text) like ? order by id desc limit ?',
  view: 'select id as value, name from saved_filter where columns is not null and cast(id as text) like ? order by id desc limit ?',
}

/** Work items, saved filters or views whose ID or reference begins with a text, newest first. */
export function readItemNames(
  run: RunSql,
  kind: keyof typeof SELECTS,
  { beginning, limit }: { beginning: string; limit: number },
): { value: number | string; name: string }[] {
  return run<{ value: number | string; name: string }>(SELECTS[kind], [`${beginning}%`, limit]).rows
}
