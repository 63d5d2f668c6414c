import { type Kysely, sql } from 'kysely'
import { type ReadTx, tables, type WriteTx } from '../../storage'
import type { WorkspaceTables } from '../tables'

export function workspaceTables(tx: ReadTx): Kysely<WorkspaceTables> {
  return tables<WorkspaceTables>(tx)
}

/** Rises with every change of items, drafts or folders, whoever makes it. */
export async function workspaceVersion(tx: ReadTx): Promise<number> {
  const row = await workspaceTables(tx).selectFrom('workspace_version').select('value').executeTakeFirstOrThrow()
  return row.value
}

export async function touch(tx: WriteTx): Promise<void> {
  await workspaceTables(tx).updateTable('workspace_version').set({ value: sql<number>`value + 1` }).execute()
}
