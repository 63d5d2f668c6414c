import { sql } from 'kysely'
import type { ReadTx } from '../services/database'
import { tables } from '../services/database'
import type { ServerState, Standby } from '../services/server-state'

type StateOfServer = Omit<ServerState, 'pool' | 'replicas' | 'isCluster'>

/** The default of new transactions: one that reads is read-only anyway. */
const writability = sql`pg_is_in_recovery() as "isStandby", current_setting('default_transaction_read_only') = 'on' as "isReadOnly"`

/** Reads whether the server accepts changes. */
export async function readWritability(tx: ReadTx): Promise<Pick<ServerState, 'isStandby' | 'isReadOnly'>> {
  const { rows } = await sql<Pick<ServerState, 'isStandby' | 'isReadOnly'>>`select ${writability}`.execute(
    tables<any>(tx),
  )
  return rows[0]!
}

/** Reads the state of the server. A role that is no member of `pg_monitor` sees only its own transactions, and no standbys. */
export async function readServerState(tx: ReadTx): Promise<StateOfServer> {
  const db = tables<any>(tx)
  const { rows: settings } = await sql<{
    version: string
    max: number
    used: number
    names: string
    level: string
    source: string
    maySee: boolean
    isStandby: boolean
    isReadOnly: boolean
  }>`
    select current_setting('server_version') as version, current_setting('max_connections')::int as max,
      (select sum(numbackends)::int from pg_stat_database) as used,
      current_setting('synchronous_standby_names') as names, current_setting('synchronous_commit') as level,
      (select source from pg_settings where name = 'synchronous_commit') as source, ${writability},
      pg_has_role('pg_monitor', 'usage') or pg_has_role('pg_read_all_stats', 'usage') as "maySee"`.execute(db)
  const { version, max, used, names, level, source, maySee, isStandby, isReadOnly } = settings[0]!
  const { rows: oldest } = await sql<{ pid: number; program: string; database: string; seconds: number }>`
    select pid, coalesce(application_name, '') as program, datname as database, extract(epoch from now() - xact_start)::float8 as seconds
    from pg_stat_activity
    where xact_start is not null and backend_type = 'client backend' and pid <> pg_backend_pid()
    order by xact_start limit 1`.execute(db)
  const { rows: indexes } = await sql<{ name: string }>`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indisvalid and c.relnamespace = current_schema()::regnamespace`.execute(db)
  const { rows: idleSlots } = await sql<{ name: string; bytes: number }>`
    select slot_name as name, coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn), 0)::float8 as bytes
    from pg_replication_slots where not active and not pg_is_in_recovery() order by 1`.execute(db)
  return {
    version: version.split(' ')[0]!,
    connections: { used, max },
    standbys: maySee ? await readStandbys(tx) : null,
    idleSlots,
    seesAllTransactions: maySee,
    isStandby,
    isReadOnly,
    hasSynchronousStandbys: names !== '',
    confirmation: { level, source },
    oldestTransaction: oldest[0] ?? null,
    indexes: indexes.map(({ name }) => name),
  }
}

async function readStandbys(tx: ReadTx): Promise<Standby[]> {
  const { rows } = await sql<Standby>`
    select application_name
        || case when count(*) over (partition by application_name) = 1 then ''
          else ' at ' || coalesce(host(client_addr), 'socket') end
        || case when count(*) over (partition by application_name, client_addr) = 1 then '' else ':' || client_port end as name,
      sync_state in ('sync', 'quorum') as "isSynchronous",
      coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), coalesce(replay_lsn, flush_lsn, write_lsn, sent_lsn)), 0)::float8 as "lagBytes",
      coalesce(extract(epoch from replay_lag), 0)::float8 as "lagSeconds"
    from pg_stat_replication where state <> 'backup' and not pg_is_in_recovery() order by 1`.execute(tables<any>(tx))
  return rows
}
