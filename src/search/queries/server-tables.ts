import type { Kysely } from 'kysely'
import { type ReadTx, tables } from '../../storage'
import type { ServerIndexTables } from '../server-index/tables'

export function indexTables(tx: ReadTx): Kysely<ServerIndexTables> {
  return tables<ServerIndexTables>(tx)
}
