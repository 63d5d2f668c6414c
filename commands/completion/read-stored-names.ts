import { type NamedKind, namesFromFiles } from '../../src/names-from-files'
import { limitWasmTiering } from '../../src/storage'
import { countMigrations } from '../start/count-migrations'
import type { Candidate } from './complete'

/** Names in the database; none if there is no database of this version. */
export async function readStoredNames(
  place: { database: string; tenant: string },
  kind: NamedKind,
  asked: { beginning: string; most: number },
): Promise<Candidate[]> {
  const steps = await countMigrations()
  limitWasmTiering()
  const found = await namesFromFiles({ ...place, steps }, kind, asked)
  return (found ?? []).map(({ value, name }) => ({ value: String(value), about: name }))
}
