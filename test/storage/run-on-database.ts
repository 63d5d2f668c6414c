import { addAttachment } from '../../src/docks/attachments/operations/add-attachment'
import { bookAppointment } from '../../src/docks/booking/operations/book-appointment'
import { createFacility } from '../../src/docks/facilities/operations/create-facility'
import type { DraftTables } from '../../src/drafts/migrations'
import { insertDraft } from '../../src/drafts/queries'
import type { ItemTables } from '../../src/items/migrations'
import { type AnyOperation, execute } from '../../src/kernel'
import { type Database, type ReadTx, tables } from '../../src/storage'
import type { StorageLocations } from '../../src/storage/services/storage-locations'
import { openStudio } from '../../src/studio'
import { files, toBase64 } from '../docks/attachments/attachment-files'
import { DC1, load } from '../docks/dock-fixtures'

const NOW = '2026-11-16T14:00:00.000Z'

/** Runs an operation on `db` as the local user. */
export function runOn(
  db: Database,
  op: AnyOperation,
  input: unknown,
  locations: Partial<StorageLocations> = {},
): Promise<any> {
  const studio = openStudio({ env: { STUDIO_HOME: '/nowhere' }, cwd: '/', db, clock: { now: () => Date.parse(NOW) } })
  const context = studio.context({ actor: { kind: 'terminal', tenant: 'default' } })
  return execute(op, input, { ...context, locations: { ...context.locations, ...locations } })
}

const draft = (title: string, folderId: number) => ({
  title,
  description: 'Ein längerer Text 📦\n\n- with "quotes", \\ and \t',
  acceptanceCriteria: null,
  storyPoints: 2.5,
  assignedTo: null,
  areaPath: null,
  iterationPath: null,
  tags: 'a; b',
  fields: {},
  folderId,
  sourceItemId: null,
  sourceRev: null,
  createdAt: NOW,
  updatedAt: NOW,
})

/** Inserts data that is hard to move: more rows than fit into a page, a folder below a newer folder, a deleted ID. */
export async function fill(db: Database, drafts = 700): Promise<void> {
  await db.write(async (tx) => {
    const workspace = tables<ItemTables & DraftTables>(tx)
    await workspace.insertInto('folder').values({ id: 2, name: 'Inner', parent_id: null }).execute()
    await workspace.insertInto('folder').values({ id: 3, name: 'Outer', parent_id: null }).execute()
    await workspace.updateTable('folder').set({ parent_id: 3 }).where('id', '=', 2).execute()
    for (let i = 1; i <= drafts; i++) await insertDraft(tx, draft(`Draft ${i}`, 2))
    await workspace.deleteFrom('draft').where('id', '=', drafts).execute()
  })
  await runOn(db, createFacility, DC1)
  const { data } = await runOn(db, bookAppointment, load({ weight: 40_000, equipmentId: 'TR-1' }))
  // Bytes of every value, in several parts.
  const photo = Buffer.concat([files.jpeg, Buffer.from(Uint8Array.from({ length: 200_000 }, (_, i) => i % 251))])
  await runOn(db, addAttachment, { id: data.id, content: toBase64(photo) })
}

/** The data that must survive the move. */
export async function contents(tx: ReadTx): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {}
  for (const name of [
    'folder',
    'draft',
    'workspace_version',
    'facility',
    'door',
    'appointment',
    'appointment_attachment',
    'tenant',
  ])
    rows[name] = await tables<any>(tx).selectFrom(name).selectAll().orderBy('id').execute()
  const parts = await tables<any>(tx).selectFrom('attachment_part').selectAll().orderBy('part').execute()
  rows['attachment_part'] = parts.map((row) => ({ ...row, content: Buffer.from(row.content).toString('base64') }))
  return rows
}

/** Creates another draft and returns its ID. */
export const nextDraft = (db: Database) => db.write(async (tx) => (await insertDraft(tx, draft('One more', 1))).id)
