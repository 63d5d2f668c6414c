import { basename, join } from 'node:path'
import { makeAsideFolder } from './aside'
import { damaged } from './damage'
import type { Disk } from './disk'
import { placeSnapshot } from './place-snapshot'
import type { Replica } from './replica'
import { firstSegmentOfNextEra, listSegments } from './segments'
import { isSame, stampOf } from './snapshot'

/** Makes a database of another origin ours, once it is to be written to: a snapshot of it with our marks takes its place. */
export async function adopt(replica: Replica, disk: Disk): Promise<void> {
  const { path, connection, stamp } = replica
  const flaws = connection.flaws()
  if (flaws.length > 0) throw damaged(path, null, flaws[0]!)
  const segment = firstSegmentOfNextEra(path, null)
  const used = listSegments(path).filter(({ size }) => size > 0)
  if (used.length > 0) {
    const folder = makeAsideFolder(path)
    for (const segment of used) disk.rename(segment.path, join(folder, basename(segment.path)))
  }
  const mayReplace = () => isSame(stampOf(path), stamp)
  await placeSnapshot(path, { bytes: connection.export(), segment, mayReplace, polite: false }, disk)
  await replica.load()
}
