import { type NamedKind, namesFromFiles } from '../../src/names-from-files'
import { countMigrations } from '../start/count-migrations'
import type { Candidate } from './complete'

interface Asked {
  beginning: string
  most: number
}

/** Names in the database; none if there is no database of this version. */
export async function readStoredNames(
  place: { database: string; tenant: string },
  kind: NamedKind,
  asked: Asked,
): Promise<Candidate[]> {
  const steps = await countMigrations()
  const found =
    kind === 'appointment'
      ? await (await import('../../src/appointment-names-from-files')).appointmentNamesFromFiles(
          { ...place, steps },
          asked,
        )
      : await namesFromFiles({ ...place, steps }, kind, asked)
  return (found ?? []).map(({ value, name }) => ({ value: String(value), about: name }))
}
