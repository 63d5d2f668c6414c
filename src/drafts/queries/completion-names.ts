import type { RunSql } from '../../storage/embedded/engine/read-with-raw-sql'

const SELECTS = {
  draft: 'select id as value, title as name from draft where cast(id as text) like ? order by id desc limit ?',
  folder: 'select id as value, name from folder where cast(id as text) like ? order by id desc limit ?',
}

/** Drafts or folders whose ID begins with `digits`, newest first. */
export function readDraftNames(
  run: RunSql,
  kind: keyof typeof SELECTS,
  { digits, limit }: { digits: string; limit: number },
): { value: number; name: string }[] {
  return run<{ value: number; name: string }>(SELECTS[kind], [`${digits}%`, limit]).rows
}
