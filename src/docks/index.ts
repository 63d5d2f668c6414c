export {
  appointmentChangesMigration,
  deletedFacilitiesMigration,
  dockCapacityMigration,
  dockChangesMigration,
  dockConstraintsMigration,
  docksMigration,
  importedRowsMigration,
  lengthsMigration,
  refusedRequestsMigration,
  seriesMigration,
  slotHoldsMigration,
  waitlistMigration,
} from './migrations'
export { formatState, stepNames } from './rules/appointment-steps'

/** Checks the time zone data, and the zones of the facilities unless `db` is null. */
export async function inspectTimeZones(
  db: import('../storage').Database | null,
  now: number,
): Promise<import('../storage').Finding[]> {
  const { inspectTimeZones: inspectZones, readTimeZoneData: zoneData } = await import('./services/inspect-time-zones')
  return inspectZones(zoneData(), db, now)
}

/** Does what the docks need at intervals, until the signal of the context aborts. */
export async function startDockUpkeep(
  ctx: import('../kernel').Context & import('../storage').StorageContext,
): Promise<void> {
  return (await import('./services/dock-upkeep')).startDockUpkeep(ctx)
}
