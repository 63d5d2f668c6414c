import { type Kysely, sql } from 'kysely'
import { getEngine, tables, type WriteTx } from '../services/database'

/**
 * Runs `work` while the triggers of the tables rest. They judge what is new by what is there; what moves from another database was
 * judged when it came to be, and what it was judged by may have changed since. Those that only take notes, by the name of `note_…`, go on.
 */
export async function runWithoutTriggers<R>(tx: WriteTx, work: () => Promise<R>): Promise<R> {
  const db = tables<any>(tx)
  const restoreTriggers = await (getEngine(tx) === 'postgres' ? disableTriggers(db) : dropTriggers(db))
  const done = await work()
  await restoreTriggers()
  return done
}

/** SQLite cannot switch a trigger off. */
async function dropTriggers(db: Kysely<any>): Promise<() => Promise<void>> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select name, sql as definition from sqlite_master where type = 'trigger' order by rowid`.execute(db)
  for (const { name } of rows) await sql`drop trigger ${sql.id(name)}`.execute(db)
  return async () => {
    for (const { definition } of rows) await sql.raw(definition).execute(db)
  }
}

async function disableTriggers(db: Kysely<any>): Promise<() => Promise<void>> {
  const { rows } = await sql<{ table: string; name: string }>`
    select relname as "table", tgname as name from pg_trigger inner join pg_class on pg_class.oid = tgrelid
    where not tgisinternal and tgenabled <> 'D' and not starts_with(tgname, 'note_')
      and relnamespace = current_schema()::regnamespace`.execute(db)
  const set = async (state: 'disable' | 'enable') => {
    for (const { table, name } of rows)
      await sql`alter table ${sql.id(table)} ${sql.raw(state)} trigger ${sql.id(name)}`.execute(db)
  }
  await set('disable')
  return () => set('enable')
}
