import { basename, dirname, join } from 'node:path'
import type { Migration } from '../services/apply-migrations'
import { makeFolder, toFileError } from '../services/files'
import type { CopyTarget } from '../transfer/copy-target'
import { createMemoryStore } from './backing-store'
import { Connection } from './connection'
import { realDisk } from './disk'
import { EmbeddedDatabase } from './embedded-database'
import { migrateConnection, openFile } from './open-file'
import { discardArchive, fingerprintDatabase, replaceDatabase } from './replace-database'
import { listSegments } from './segments'
import { readSnapshot, readStamp } from './snapshot'

/**
 * A database in memory, for the file at `path`: it is written there whole, as a snapshot, so that no commit is larger than a
 * page of rows. Until then nothing is there, or what was.
 */
export async function openNewFile(path: string, migrations: readonly Migration[]): Promise<CopyTarget> {
  try {
    makeFolder(dirname(path))
  } catch (error) {
    throw toFileError(error, path)
  }
  const isThere = readStamp(path) !== null
  if (isThere) await (await openFile(path, migrations)).close() // migrates it and compacts its log
  const [onlyIf, sizes] = [fingerprintDatabase(path), describeSegments(path)]
  const there = isThere ? await openFile(path, migrations) : null
  const connection = await Connection.open(null)
  await migrateConnection(connection, migrations)
  return {
    db: new EmbeddedDatabase(await createMemoryStore(connection)),
    existing: there,
    async commit() {
      const aside = await replaceDatabase(path, connection.export(), realDisk, { onlyIf })
      await readSnapshot(path) // what was written is what is there
      if (aside !== null && describeSegments(join(aside, basename(path))) === sizes) discardArchive(aside) // it was empty
    },
    async close() {
      connection.close()
      await there?.close()
    },
  }
}

function describeSegments(path: string): string {
  return listSegments(path)
    .map(({ segment, size }) => `${segment}:${size}`)
    .join()
}
