import type { Kysely } from 'kysely'
import { type ReadTx, tables } from '../../storage'
import type { AccessTables } from '../migrations'

export function accessTables(tx: ReadTx): Kysely<AccessTables> {
  return tables<AccessTables>(tx)
}
