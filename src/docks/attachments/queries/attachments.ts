import type { Selectable } from 'kysely'
import type { ReadTx, WriteTx } from '../../../storage'
import { docksTables } from '../../queries/docks-tables'
import type { AttachmentTable } from '../migrations'

export type AttachmentRecord = Selectable<AttachmentTable>

/** Enough for few statements, and little enough that copying many of them takes little memory. */
const PART_BYTES = 64 * 1024

/** Those of appointments, the oldest of each first, without their contents. */
export function listAttachments(tx: ReadTx, appointmentIds: readonly string[]): Promise<AttachmentRecord[]> {
  return docksTables(tx)
    .selectFrom('appointment_attachment')
    .selectAll()
    .where('appointment_id', 'in', appointmentIds)
    .orderBy('appointment_id')
    .orderBy('added_at')
    .orderBy('id')
    .execute()
}

export async function findAttachment(tx: ReadTx, id: string): Promise<AttachmentRecord | null> {
  const query = docksTables(tx).selectFrom('appointment_attachment').selectAll().where('id', '=', id)
  return (await query.executeTakeFirst()) ?? null
}

export async function readAttachmentContent(tx: ReadTx, id: string): Promise<Buffer> {
  const parts = await docksTables(tx)
    .selectFrom('attachment_part')
    .select('content')
    .where('attachment_id', '=', id)
    .orderBy('part')
    .execute()
  return Buffer.concat(parts.map(({ content }) => content))
}

/** `pause` is called between the parts. */
export async function insertAttachment(
  tx: WriteTx,
  attachment: AttachmentRecord,
  content: Uint8Array,
  pause: () => Promise<void> = async () => {},
): Promise<void> {
  const db = docksTables(tx)
  await db.insertInto('appointment_attachment').values(attachment).execute()
  for (let part = 0; part * PART_BYTES < content.length; part++) {
    await pause()
    const piece = content.subarray(part * PART_BYTES, (part + 1) * PART_BYTES)
    await db.insertInto('attachment_part').values({ attachment_id: attachment.id, part, content: piece }).execute()
  }
}

export async function removeAttachments(tx: WriteTx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await docksTables(tx).deleteFrom('attachment_part').where('attachment_id', 'in', ids).execute()
  await docksTables(tx).deleteFrom('appointment_attachment').where('id', 'in', ids).execute()
}
