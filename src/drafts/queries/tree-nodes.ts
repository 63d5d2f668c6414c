import { type ReadTx, tables, type WriteTx } from '../../storage'
import type { DraftTables, TreeNodeTable } from '../migrations'

/** An item of a published file, as it is remembered. */
export interface StoredTreeNode {
  node: string
  title: string
  draftId: number
  itemId: number | null
}

/** The items of a tree by node. */
export async function listTreeNodes(tx: ReadTx, tree: string): Promise<Map<string, StoredTreeNode>> {
  const rows = await selectNodes(tx, tree).orderBy('node').execute()
  return new Map(rows.map((row) => [row.node, toNode(row)]))
}

export async function findTreeNode(tx: ReadTx, tree: string, node: string): Promise<StoredTreeNode | null> {
  const row = await selectNodes(tx, tree).where('node', '=', node).executeTakeFirst()
  return row ? toNode(row) : null
}

function selectNodes(tx: ReadTx, tree: string) {
  return tables<DraftTables>(tx)
    .selectFrom('tree_node')
    .select(['node', 'title', 'draft_id', 'item_id'])
    .where('tree', '=', tree)
}

function toNode({ node, title, draft_id, item_id }: Omit<TreeNodeTable, 'tree'>): StoredTreeNode {
  return { node, title, draftId: draft_id, itemId: item_id }
}

/** The files of drafts that are part of a tree and have no item yet, by draft. */
export async function findUnfinishedNodes(tx: ReadTx): Promise<Map<number, string>> {
  const rows = await tables<DraftTables>(tx)
    .selectFrom('tree_node')
    .select(['draft_id', 'tree'])
    .where('item_id', 'is', null)
    .execute()
  return new Map(rows.map(({ draft_id, tree }) => [draft_id, tree.slice(tree.indexOf(':') + 1)]))
}

export async function saveTreeNode(
  tx: WriteTx,
  tree: string,
  { node, title, draftId, itemId }: StoredTreeNode,
): Promise<void> {
  const values = { title, draft_id: draftId, item_id: itemId }
  await tables<DraftTables>(tx)
    .insertInto('tree_node')
    .values({ tree, node, ...values })
    .onConflict((conflict) => conflict.columns(['tree', 'node']).doUpdateSet(values))
    .execute()
}
