import type { Selectable } from 'kysely'
import { type ReadTx, tables, type WriteTx } from '../../storage'
import type { DraftTables } from '../migrations'

export type StoredDraftFile = Selectable<DraftTables['draft_file']>

/** Enough for few statements, and little enough that copying many of them takes little memory. */
const PART_BYTES = 64 * 1024

/** The files of a draft, without their contents. */
export function listDraftFiles(tx: ReadTx, draftId: number): Promise<StoredDraftFile[]> {
  return tables<DraftTables>(tx)
    .selectFrom('draft_file')
    .selectAll()
    .where('draft_id', '=', draftId)
    .orderBy('path')
    .execute()
}

export async function readDraftFileContent(tx: ReadTx, id: number): Promise<Buffer> {
  const parts = await tables<DraftTables>(tx)
    .selectFrom('draft_file_part')
    .select('content')
    .where('draft_file_id', '=', id)
    .orderBy('part')
    .execute()
  return Buffer.concat(parts.map(({ content }) => content))
}

/** Stores a file in place of the one with the same path. */
export async function saveDraftFile(
  tx: WriteTx,
  file: Omit<StoredDraftFile, 'id'>,
  content: Uint8Array,
  pause: () => Promise<void>,
): Promise<void> {
  const db = tables<DraftTables>(tx)
  const former = await db
    .selectFrom('draft_file')
    .select(['id', 'sha256'])
    .where('draft_id', '=', file.draft_id)
    .where('path', '=', file.path)
    .executeTakeFirst()
  if (former?.sha256 === file.sha256) return
  if (former) await removeFiles(tx, [former.id])
  const { id } = await db.insertInto('draft_file').values(file).returning('id').executeTakeFirstOrThrow()
  for (let part = 0; part * PART_BYTES < content.length; part++) {
    await pause()
    const piece = content.subarray(part * PART_BYTES, (part + 1) * PART_BYTES)
    await db.insertInto('draft_file_part').values({ draft_file_id: id, part, content: piece }).execute()
  }
}

/** Removes the files of a draft. */
export async function removeDraftFiles(tx: WriteTx, draftId: number): Promise<void> {
  const files = await listDraftFiles(tx, draftId)
  await removeFiles(
    tx,
    files.map(({ id }) => id),
  )
}

async function removeFiles(tx: WriteTx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const db = tables<DraftTables>(tx)
  await db.deleteFrom('draft_file_part').where('draft_file_id', 'in', ids).execute()
  await db.deleteFrom('draft_file').where('id', 'in', ids).execute()
}
