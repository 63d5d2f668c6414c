import { readAppointmentNames } from './docks/facilities/queries/completion-names'
import { limitWasmTiering } from './storage'
import { readWithRawSql } from './storage/embedded/engine/read-with-raw-sql'

/** The names of appointments, for a process that does nothing else. There may be many, so that they are found by an index of SQLite. */
export function appointmentNamesFromFiles(
  { database, steps, tenant }: { database: string; steps: number; tenant: string },
  { most }: { most: number },
): Promise<{ value: string; name: string }[] | null> {
  limitWasmTiering()
  return readWithRawSql(database, { steps, read: (run) => readAppointmentNames(run, tenant, most) })
}
