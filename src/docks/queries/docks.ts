import type { Kysely } from 'kysely'
import { type ReadTx, tables } from '../../storage'
import type { DocksTables } from '../tables'

export function docks(tx: ReadTx): Kysely<DocksTables> {
  return tables<DocksTables>(tx)
}
