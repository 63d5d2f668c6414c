import { type Kysely, sql } from 'kysely'
import { getEngine, type ReadTx, tables, type WriteTx } from '../../storage'
import type { ItemTables } from '../migrations'

export function itemTables(tx: ReadTx): Kysely<ItemTables> {
  return tables<ItemTables>(tx)
}

/** Rises with every change of items, drafts or folders, whoever makes it; of a database on a server it stands still. */
export async function workspaceVersion(tx: ReadTx): Promise<number> {
  const row = await itemTables(tx).selectFrom('workspace_version').select('value').executeTakeFirstOrThrow()
  return row.value
}

/** On a server every writer would have to wait for this row, and nobody asks for it. */
export async function touch(tx: WriteTx): Promise<void> {
  if (getEngine(tx) === 'postgres') return
  await itemTables(tx).updateTable('workspace_version').set({ value: sql<number>`value + 1` }).execute()
}
