export { importedRowsMigration } from './import-table'
export { dockCapacityMigration, dockChangesMigration, docksMigration } from './tables'

/** What a check-up says of time zones; `db` is null where it is not to be looked into. */
export async function inspectZones(
  db: import('../storage').Database | null,
  now: number,
): Promise<import('../storage').Finding[]> {
  const { inspectZones, zoneData } = await import('./inspect-zones')
  return inspectZones(zoneData(), db, now)
}
