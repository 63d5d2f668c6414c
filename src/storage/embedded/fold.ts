import { Connection } from './connection'
import type { Disk } from './disk'
import { loadDatabase } from './load'
import { placeSnapshot } from './place-snapshot'
import { replay } from './replay'
import { isOlder } from './snapshot'

/** Makes a new snapshot out of the files alone: of the old one and of the closed segments. */
export async function foldFiles(path: string, disk: Disk): Promise<void> {
  const loaded = await loadDatabase(path, disk)
  if (!loaded?.log) return
  const { snapshot, log } = loaded
  log.segment.close()
  const { segment } = log.place
  if (segment === snapshot.segment) return
  const connection = await Connection.open(snapshot.bytes)
  try {
    replay(
      connection,
      log.records.filter(({ head }) => head.segment < segment),
    )
    const mayReplace = () => isOlder(path, segment)
    await placeSnapshot(path, { bytes: connection.export(), segment, mayReplace, polite: true }, disk)
  } finally {
    connection.close()
  }
}
