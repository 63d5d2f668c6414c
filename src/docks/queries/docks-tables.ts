import type { Kysely } from 'kysely'
import { type ReadTx, tables } from '../../storage'
import type { DocksTables } from '../migrations'

export function docksTables(tx: ReadTx): Kysely<DocksTables> {
  return tables<DocksTables>(tx)
}
