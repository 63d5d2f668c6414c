import { sql } from 'kysely'
import { getEngine, type ReadTx, type WriteTx } from '../../storage'
import { itemTables } from './item-tables'

/** Counts the changes of items, drafts and folders in embedded databases. On a server it never changes. */
export async function readWorkspaceVersion(tx: ReadTx): Promise<number> {
  const row = await itemTables(tx).selectFrom('workspace_version').select('value').executeTakeFirstOrThrow()
  return row.value
}

/** Does nothing on a server, where every writer would wait for a lock on this one row and no code reads it. */
export async function incrementWorkspaceVersion(tx: WriteTx): Promise<void> {
  if (getEngine(tx) === 'postgres') return
  await itemTables(tx).updateTable('workspace_version').set({ value: sql<number>`value + 1` }).execute()
}
