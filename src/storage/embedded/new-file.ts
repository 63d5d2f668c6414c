import { basename, dirname, join } from 'node:path'
import { fileError, makeFolder } from '../files'
import type { Migration } from '../migration'
import type { Target } from '../transfer/target'
import { discardAside } from './aside'
import { memoryBacking } from './backing'
import { Connection } from './connection'
import { realDisk } from './disk'
import { EmbeddedDatabase } from './embedded-database'
import { bringUpToDate, openFile } from './open'
import { replaceDatabase, stateOf } from './replace'
import { listSegments } from './segments'
import { readSnapshot, stampOf } from './snapshot'

/**
 * A database in memory, for the file at `path`: it is written there whole, as a snapshot, so that no commit is larger than a
 * page of rows. Until then nothing is there, or what was.
 */
export async function openNewFile(path: string, migrations: readonly Migration[]): Promise<Target> {
  try {
    makeFolder(dirname(path))
  } catch (error) {
    throw fileError(error, path)
  }
  const isThere = stampOf(path) !== null
  if (isThere) await (await openFile(path, migrations)).close() // it is of this version now, and its log is folded
  const [onlyIf, sizes] = [stateOf(path), segmentSizes(path)]
  const there = isThere ? await openFile(path, migrations) : null
  const connection = await Connection.open(null)
  await bringUpToDate(connection, migrations)
  return {
    db: new EmbeddedDatabase(await memoryBacking(connection)),
    there,
    async keep() {
      const aside = await replaceDatabase(path, connection.export(), realDisk, { onlyIf })
      await readSnapshot(path) // what was written is what is there
      if (aside !== null && segmentSizes(join(aside, basename(path))) === sizes) discardAside(aside) // it was empty
    },
    async close() {
      connection.close()
      await there?.close()
    },
  }
}

function segmentSizes(path: string): string {
  return listSegments(path)
    .map(({ segment, size }) => `${segment}:${size}`)
    .join()
}
