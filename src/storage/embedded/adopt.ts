import { archiveLog, discardArchive } from './archive-database'
import type { Disk } from './disk'
import { installSnapshot } from './install-snapshot'
import type { LogReplica } from './log-replica'
import { findFirstSegmentOfNextEra } from './segments'
import { isSameFile, readStamp } from './snapshot'
import { damagedError } from './storage-errors'

/** Makes a database of another origin ours, once it is to be written to: a snapshot of it with our marks takes its place. */
export async function adoptForeignDatabase(replica: LogReplica, disk: Disk): Promise<void> {
  const { path, connection, stamp } = replica
  const flaws = connection.findIntegrityErrors()
  if (flaws.length > 0) throw damagedError(path, null, flaws[0]!)
  // While it was looked at, which takes its time, another process may have adopted it, and written.
  const mayReplace = () => isSameFile(readStamp(path), stamp)
  if (mayReplace()) {
    const aside = await archiveLog(path, disk)
    const segment = findFirstSegmentOfNextEra(path, null)
    const bytes = connection.export()
    if (!(await installSnapshot(path, { bytes, segment, mayReplace, yieldsToOthers: false }, disk)))
      discardArchive(aside)
  }
  await replica.load()
}
