import { Connection } from './connection'
import type { Disk } from './disk'
import { installSnapshot } from './install-snapshot'
import { loadDatabase, replayRecords } from './load-database'
import { isOlderSnapshot } from './snapshot'

/** Writes a new snapshot from the files alone: the old snapshot and the closed segments. */
export async function compactFiles(path: string, disk: Disk): Promise<void> {
  const loaded = await loadDatabase(path, disk)
  if (!loaded?.log) return
  const { snapshot, log } = loaded
  log.segment.close()
  const { segment } = log.cursor
  if (segment === snapshot.segment) return
  const connection = await Connection.open(snapshot.bytes)
  try {
    replayRecords(
      connection,
      log.records.filter(({ head }) => head.segment < segment),
    )
    const mayReplace = () => isOlderSnapshot(path, segment)
    await installSnapshot(path, { bytes: connection.export(), segment, mayReplace, yieldsToOthers: true }, disk)
  } finally {
    connection.close()
  }
}
