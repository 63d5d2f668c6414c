import type { Database } from './database'

/** A database that is opened by its first transaction; a failed opening is tried again by the next. */
export function openLazily(open: () => Promise<Database>): Database {
  let opened: Promise<Database> | null = null
  const opening = () => {
    opened ??= open().catch((error) => {
      opened = null
      throw error
    })
    return opened
  }
  return {
    read: async (work) => (await opening()).read(work),
    write: async (work) => (await opening()).write(work),
    close: async () => (await opened?.catch(() => null))?.close(),
  }
}
