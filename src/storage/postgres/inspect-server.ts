import { sql } from 'kysely'
import type { StudioError } from '../../kernel'
import { type Finding, ok, problem, warning } from '../../kernel/finding'
import { pluralize } from '../../kernel/text/text'
import { tables } from '../services/database'
import type { ReplicaState, ServerState, Standby } from '../services/server-state'
import type { StorageLocations } from '../services/storage-locations'
import { ALLOW_WRITES, ConnectionError, toStudioError, USE_PRIMARY } from './postgres-errors'

/** Indexes that exist only in files. The server has other indexes instead, because its B-trees refuse long texts. */
const ONLY_IN_FILES = new Set(['work_item_filter'])

/** The statements that create the indexes of this version, by name. */
export async function listExpectedIndexes({ openEmpty }: StorageLocations): Promise<Map<string, string>> {
  const empty = await openEmpty()
  const find = sql<{
    name: string
    sql: string
  }>`select name, sql from sqlite_master where type = 'index' and sql is not null`
  try {
    const { rows } = await empty.read((tx) => find.execute(tables<any>(tx)))
    return new Map(rows.flatMap(({ name, sql }) => (ONLY_IN_FILES.has(name) ? [] : [[name, sql]])))
  } finally {
    await empty.close()
  }
}

const MB = 1024 * 1024
const MAX_USED_SHARE = 0.8
const MAX_TRANSACTION_SECONDS = 60
const MAX_LAG_SECONDS = 30
const MAX_LAG_BYTES = 64 * MB

/** The findings of `studio doctor` about a server. `expectedIndexes` are the statements that create the indexes, by name. */
export function inspectServer(state: ServerState, expectedIndexes: ReadonlyMap<string, string>): Finding[] {
  return [
    inspectConnections(state),
    ...inspectWriting(state),
    ...inspectStandbys(state),
    ...state.idleSlots.map(inspectIdleSlot),
    ...state.replicas.map(inspectReplica),
    inspectTransactions(state),
    inspectIndexes(state, expectedIndexes),
  ]
}

function inspectConnections({ connections: { used, max }, pool }: ServerState): Finding {
  const message = `${used} of the server's ${max} connections are in use. Each process of studio opens up to ${pool.max}.`
  if (used <= max * MAX_USED_SHARE) return ok('connections', message)
  return warning('connections', message, 'Raise max_connections, or connect through a pooler such as PgBouncer.')
}

function inspectWriting({
  isStandby,
  isReadOnly,
  confirmation,
  isCluster,
  hasSynchronousStandbys,
}: ServerState): Finding[] {
  if (isStandby) return [problem('writing', 'The server is a standby: nothing can be written.', USE_PRIMARY)]
  if (isReadOnly)
    return [
      problem(
        'writing',
        'The database is read-only (default_transaction_read_only): nothing can be written.',
        ALLOW_WRITES,
      ),
    ]
  const { level, source } = confirmation
  if (level === 'off' || level === 'local') {
    const loss =
      level === 'off'
        ? 'a change before it is on disk, so a crash loses the last ones'
        : 'a change before a standby has it, so a failover loses the last ones'
    return [
      warning(
        'writing',
        `synchronous_commit is ${level}: the server confirms ${loss}, bookings too.`,
        resetCommits(source),
      ),
    ]
  }
  if (isCluster && !hasSynchronousStandbys)
    return [
      warning(
        'writing',
        'The address lists several servers, and the primary confirms a change before a standby has it: a failover loses the last confirmed bookings.',
        'Let it wait for one: set synchronous_standby_names on the server, or with Patroni synchronous_mode and synchronous_mode_strict.',
      ),
    ]
  return []
}

/** How to set `synchronous_commit` to `on` where the session has it from. */
function resetCommits(source: string): string {
  const ways: Record<string, string> = {
    user: 'alter role <role> reset synchronous_commit',
    database: 'alter database <database> reset synchronous_commit',
    'database user': 'alter role <role> in database <database> reset synchronous_commit',
  }
  if (ways[source]) return `Run on the server: ${ways[source]}`
  if (source === 'client') return 'Remove it from the options in the address, and from PGOPTIONS.'
  return 'Run on the server: alter system set synchronous_commit = on; select pg_reload_conf()'
}

function inspectStandbys({ standbys, isStandby, hasSynchronousStandbys, confirmation }: ServerState): Finding[] {
  // Its own standbys do not confirm changes, and say nothing about the primary.
  if (isStandby) return []
  const waitsForStandby = hasSynchronousStandbys && !/^(local|off)$/.test(confirmation.level)
  if (standbys === null)
    return [ok('replication', 'Not checked: the role may not see it. To change that: grant pg_monitor to <role>')]
  const findings = standbys.map(inspectStandby)
  if (waitsForStandby && !standbys.some(({ isSynchronous }) => isSynchronous))
    return [
      problem('replication', 'The server waits for a synchronous standby, and none is connected.', 'Start a standby.'),
      ...findings,
    ]
  return standbys.length === 0 ? [ok('replication', 'No standby replicates this server.')] : findings
}

function inspectStandby({ name, isSynchronous, lagBytes, lagSeconds }: Standby): Finding {
  const lag = lagBytes === 0 ? 'it has all changes' : `${formatBytes(lagBytes)}, ${lagSeconds.toFixed(1)} s behind`
  const message = `${name} copies it ${isSynchronous ? 'synchronously' : 'asynchronously'}: ${lag}.`
  if (lagSeconds <= MAX_LAG_SECONDS && lagBytes <= MAX_LAG_BYTES) return ok('replication', message)
  return warning('replication', message, `Check the disk and the network of ${name}.`)
}

function inspectIdleSlot({ name, bytes }: ServerState['idleSlots'][number]): Finding {
  return warning(
    'replication',
    `No standby uses the replication slot ${name}. The server keeps ${formatBytes(bytes)} of changes for it.`,
    `Start the standby. If it no longer exists, run on the server: select pg_drop_replication_slot('${name}')`,
  )
}

function inspectReplica({ name, state, cause }: ReplicaState): Finding {
  if (state === 'ready') return ok('replica', `${name} runs reads.`)
  if (state === 'unavailable') {
    const error = toStudioError(new ConnectionError('connecting', cause), `The replica ${name}`) as StudioError
    return warning('replica', `${error.message} Reads run on the other servers.`, `Check ${name} and STUDIO_DB_READ.`)
  }
  const [reason, advice] = {
    behind: ['lags behind', `Check ${name}.`],
    'no replica': ['is not a replica', 'Remove it from STUDIO_DB_READ, unless it is a standby at other times.'],
    'other database': [
      'has another database',
      'Set STUDIO_DB_READ to a server and a database that replicate STUDIO_DB.',
    ],
  }[state] as [string, string]
  return warning('replica', `${name} ${reason}. Reads run on the other servers.`, advice)
}

function inspectTransactions({ oldestTransaction, seesAllTransactions }: ServerState): Finding {
  if (oldestTransaction === null || oldestTransaction.seconds <= MAX_TRANSACTION_SECONDS)
    return seesAllTransactions
      ? ok('transactions', 'No transaction has been open for more than a minute.')
      : ok('transactions', 'Only its own were checked. To change that: grant pg_monitor to <role>')
  const { pid, program, database, seconds } = oldestTransaction
  const minutes = pluralize(Math.floor(seconds / 60), 'minute')
  return warning(
    'transactions',
    `A transaction of ${program || 'an unnamed program'} in ${database} has been open for ${minutes}. The server cannot remove old rows meanwhile.`,
    `If it hangs, end it on the server: select pg_terminate_backend(${pid})`,
  )
}

function inspectIndexes({ indexes }: ServerState, expected: ReadonlyMap<string, string>): Finding {
  const present = new Set(indexes)
  const missing = [...expected].filter(([name]) => !present.has(name))
  if (missing.length === 0) return ok('indexes', `All ${expected.size} indexes exist.`)
  return warning(
    'indexes',
    `${pluralize(missing.length, 'index', 'indexes')} missing or incomplete: ${missing.map(([name]) => name).join(', ')}.`,
    `Create ${missing.length === 1 ? 'it' : 'them'} on the server at a quiet time, because writes wait meanwhile: ${missing.map(([, statement]) => statement).join('; ')}`,
  )
}

function formatBytes(bytes: number): string {
  if (bytes < MB) return `${Math.ceil(bytes / 1024)} kB`
  return bytes < 10 * 1024 * MB ? `${Math.round(bytes / MB)} MB` : `${Math.round(bytes / 1024 / MB)} GB`
}
