import { type Kysely, sql } from 'kysely'

/**
 * Puts up a guard that only some servers can have: the role may not be allowed to, and engines that merely speak PostgreSQL's
 * protocol lack one thing or the other. The docks hold their facility's row while they decide, and do not lean on it.
 */
export async function addIfSupported(db: Kysely<any>, putUp: () => Promise<void>): Promise<void> {
  await sql`savepoint before_guard`.execute(db)
  try {
    await putUp()
  } catch {
    await sql`rollback to savepoint before_guard`.execute(db)
  }
}
