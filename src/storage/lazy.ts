import type { Database } from './database'

/** A database that is opened by its first transaction; a failed opening is tried again by the next. */
export function openLazily(open: () => Promise<Database>): Database {
  let opened: Promise<Database> | null = null
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
    read: async (work) => (await opening()).read(work),
    write: async (work, options) => (await opening()).write(work, options),
    version: () => database?.version?.() ?? null,
    close: async () => (await opened?.catch(() => null))?.close(),
  }
}
