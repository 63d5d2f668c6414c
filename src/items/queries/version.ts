import { type Kysely, sql } from 'kysely'
import { engineOf, type ReadTx, tables, type WriteTx } from '../../storage'
import type { WorkspaceTables } from '../migrations'

export function workspaceTables(tx: ReadTx): Kysely<WorkspaceTables> {
  return tables<WorkspaceTables>(tx)
}

/** Rises with every change of items, drafts or folders, whoever makes it; of a database on a server it stands still. */
export async function workspaceVersion(tx: ReadTx): Promise<number> {
  const row = await workspaceTables(tx).selectFrom('workspace_version').select('value').executeTakeFirstOrThrow()
  return row.value
}

/** On a server every writer would have to wait for this row, and nobody asks for it. */
export async function touch(tx: WriteTx): Promise<void> {
  if (engineOf(tx) === 'postgres') return
  await workspaceTables(tx).updateTable('workspace_version').set({ value: sql<number>`value + 1` }).execute()
}
