import { basename, dirname, join } from 'node:path'
import type { Migration } from '../../services/apply-migrations'
import type { CopyTarget } from '../../services/database'
import { makeFolder, toFileError } from '../../services/files'
import { discardArchive } from '../archives'
import { BaseFile, readStamp } from '../base/base-file'
import { toBaseSource } from '../base/base-source'
import { realDisk } from '../disk'
import { listSegments } from '../log/segments'
import { createMemoryStore } from './backing-store'
import { Connection } from './connection'
import { toPageStorage } from './database-pages'
import { EmbeddedDatabase } from './embedded-database'
import { createEmptyDatabase, openFile } from './open-file'
import { fingerprintDatabase, replaceDatabase } from './replace-database'
import { ScratchPages } from './scratch-pages'

/**
 * Opens a database in a scratch file. `commit` writes it to the file at `path` as one base, so that no log record is larger than a page of
 * rows. Until then that file does not change.
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
  const existing = isThere ? await openFile(path, migrations) : null
  const scratch = new ScratchPages(path)
  const source = toBaseSource(await createEmptyDatabase(migrations))
  const connection = await Connection.openPages(toPageStorage(source), { name: path, scratch })
  return {
    db: new EmbeddedDatabase(await createMemoryStore(connection)),
    existing,
    async commit() {
      const archive = await replaceDatabase(path, connection.toBaseSource(source), realDisk, { onlyIf })
      verifyBase(path)
      if (archive !== null && describeSegments(join(archive, basename(path))) === sizes) discardArchive(archive) // the old database was empty
    },
    async close() {
      connection.close()
      scratch.close()
      await existing?.close()
    },
  }
}

function verifyBase(path: string): void {
  const base = BaseFile.open(path)
  try {
    base?.verify()
  } finally {
    base?.close()
  }
}

function describeSegments(path: string): string {
  return listSegments(path)
    .map(({ segment, size }) => `${segment}:${size}`)
    .join()
}
