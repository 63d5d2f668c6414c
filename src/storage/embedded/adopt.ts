import { discardAside, keepLogAside } from './aside'
import { damaged } from './damage'
import type { Disk } from './disk'
import { placeSnapshot } from './place-snapshot'
import type { Replica } from './replica'
import { firstSegmentOfNextEra } from './segments'
import { isSame, stampOf } from './snapshot'

/** Makes a database of another origin ours, once it is to be written to: a snapshot of it with our marks takes its place. */
export async function adopt(replica: Replica, disk: Disk): Promise<void> {
  const { path, connection, stamp } = replica
  const flaws = connection.flaws()
  if (flaws.length > 0) throw damaged(path, null, flaws[0]!)
  // While it was looked at, which takes its time, another process may have adopted it, and written.
  const mayReplace = () => isSame(stampOf(path), stamp)
  if (mayReplace()) {
    const aside = await keepLogAside(path, disk)
    const segment = firstSegmentOfNextEra(path, null)
    const bytes = connection.export()
    if (!(await placeSnapshot(path, { bytes, segment, mayReplace, polite: false }, disk))) discardAside(aside)
  }
  await replica.load()
}
