import { StudioError } from '../../kernel'
import type { Database } from './database'

/**
 * The same database, which remembers that a write failed because the disk was full. Only another write shows whether there is space again, so
 * from then on `requireSpace` makes a test write, until one succeeds.
 */
export function watchDiskSpace(db: Database): Database {
  let wasFull = false
  const write: Database['write'] = async (work, options) => {
    try {
      return await db.write(work, options)
    } catch (error) {
      if (error instanceof StudioError && error.code === 'disk_full') wasFull = true
      throw error
    }
  }
  return {
    read: (work, options) => db.read(work, options),
    write,
    version: () => db.version?.() ?? null,
    loadedVersion: () => db.loadedVersion?.() ?? null,
    requireWritable: async () => db.requireWritable?.(),
    async requireSpace(change) {
      if (!wasFull) return
      await write(change)
      wasFull = false
    },
    inspectServer: async () => (await db.inspectServer?.()) ?? null,
    inspectPool: () => db.inspectPool?.() ?? null,
    close: () => db.close(),
  }
}
