import { writeFileAtomic } from '../../storage'
import { detectTrackerKind } from '../../tracker/adapters'
import type { Settings } from './load-settings'
import { resolvePaths, type SettingsSource } from './paths'
import { readSnapshots, type SettingsSnapshot, snapshotFile } from './settings-snapshot'

/** Null for a database on a server, and for a link to a database, which may be changed. Throws for invalid trackers. */
export function toSnapshot({
  db,
  isDbLinked,
  searchIndex,
  user,
  tenant,
  tracker,
  trackers,
}: Settings): SettingsSnapshot | null {
  if (isDbLinked || /^postgres/.test(db)) return null
  const trackerKinds = [tracker, ...trackers].map(({ kind, url }) => kind ?? detectTrackerKind(url ?? ''))
  return { database: db, isIndexed: searchIndex, user, tenant, trackerKinds }
}

/** A user can have settings for each of several projects. */
const MAX_SNAPSHOTS = 16

/** If this fails, for example because the home is read-only, the next command only takes longer. */
export async function storeSnapshot({ env }: SettingsSource, hash: string, snapshot: SettingsSnapshot): Promise<void> {
  const paths = resolvePaths(env)
  const others = Object.entries(readSnapshots(paths)).slice(1 - MAX_SNAPSHOTS)
  const content = JSON.stringify(Object.fromEntries([...others, [hash, snapshot]]))
  await writeFileAtomic(snapshotFile(paths), content).catch(() => {})
}
