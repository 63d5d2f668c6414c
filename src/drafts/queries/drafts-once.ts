import type { RunSql } from '../../storage/read-with-raw-sql'
import type { Draft } from '../schemas'
import { type DraftRow, toDraft } from './draft-row'

/** The same as `listDrafts`, without the query builder. */
export function readDraftsWithRawSql(run: RunSql, { folderId }: { folderId?: number | undefined }): Draft[] {
  const { rows } =
    folderId === undefined
      ? run<DraftRow>('select * from draft order by id')
      : run<DraftRow>('select * from draft where folder_id = ? order by id', [folderId])
  return rows.map(toDraft)
}
