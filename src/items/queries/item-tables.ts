import type { Kysely } from 'kysely'
import { type ReadTx, tables } from '../../storage'
import type { ItemTables } from '../migrations'

/** Database engines limit the number of parameters in one statement. */
export const MAX_IDS_PER_STATEMENT = 500

export function itemTables(tx: ReadTx): Kysely<ItemTables> {
  return tables<ItemTables>(tx)
}
