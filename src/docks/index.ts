export { dockCapacityMigration, dockChangesMigration, docksMigration, importedRowsMigration } from './migrations'

/** What a check-up says of time zones; `db` is null where it is not to be looked into. */
export async function inspectTimeZones(
  db: import('../storage').Database | null,
  now: number,
): Promise<import('../storage').Finding[]> {
  const { inspectTimeZones: inspectZones, readTimeZoneData: zoneData } = await import('./services/inspect-time-zones')
  return inspectZones(zoneData(), db, now)
}
