import type { Database } from './database'

/** Provides an empty database for a read that must not create one. */
interface EmptyDatabaseSource {
  isDatabaseMissing(): Promise<boolean>
  open(): Promise<Database>
}

/** A database that is opened by its first transaction; a failed opening is tried again by the next. */
export function openLazily(open: () => Promise<Database>, blank: EmptyDatabaseSource | null = null): Database {
  let opened: Promise<Database> | null = null
  let standIn: Promise<Database> | null = null
  let database: Database | null = null
  const opening = () => {
    opened ??= open().then(
      (done) => {
        database = done
        return done
      },
      (error) => {
        opened = null
        throw error
      },
    )
    return opened
  }
  return {
    async read(work, { createsNone = false } = {}) {
      if (createsNone && opened === null && (await blank?.isDatabaseMissing())) {
        standIn ??= blank!.open()
        return (await standIn).read(work)
      }
      return (await opening()).read(work)
    },
    write: async (work, options) => (await opening()).write(work, options),
    version: () => database?.version?.() ?? null,
    async close() {
      for (const open of [standIn, opened]) await (await open?.catch(() => null))?.close()
    },
  }
}
