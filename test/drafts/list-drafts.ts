import { findDrafts, listDraftParts } from '../../src/drafts/queries'
import type { Draft } from '../../src/drafts/schemas'
import type { ReadTx } from '../../src/storage'

/** All drafts, in one transaction. */
export async function listDrafts(tx: ReadTx): Promise<Draft[]> {
  const ids = (await listDraftParts(tx, {}, Number.POSITIVE_INFINITY)).flat()
  return ids.length === 0 ? [] : findDrafts(tx, ids)
}
