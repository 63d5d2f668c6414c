import type { Kysely } from 'kysely'
import { type ReadTx, tables } from '../../storage'
import type { ServerIndexTables } from '../migrations'

export function indexTables(tx: ReadTx): Kysely<ServerIndexTables> {
  return tables<ServerIndexTables>(tx)
}
