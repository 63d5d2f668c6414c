import pg, { type ClientBase, type PoolClient } from 'pg'
import { StandbyError } from './postgres-errors'
import { readPassword } from './read-password'

export const MAX_CONNECTIONS = 10
/** Limits how long a call waits for a new connection, or for one of the pool to become free. */
const CONNECT_TIMEOUT_MS = 10_000
/** The system starts keep-alive probes after this much silence. */
const KEEP_ALIVE_DELAY_MS = 10_000

export type { PoolClient }

/** Connections to a server, or to the primary of a cluster. */
export interface Pool {
  connect(): Promise<PoolClient>
  /** The number of connections, of those not in use, and of calls that wait for one. */
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
  end(): Promise<void>
}

/** Creates the pool of one server. It connects when a connection is needed. A new connection to a standby is refused if asked for. */
export function openServerPool(
  address: string,
  { refusesStandby = false, connectTimeoutMs = CONNECT_TIMEOUT_MS } = {},
): pg.Pool {
  const pool = new pg.Pool({
    ...(refusesStandby && { verify: verifyPrimary }),
    connectionString: setEffectiveSslMode(address),
    fallback_application_name: 'studio',
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    allowExitOnIdle: true,
    types: { getTypeParser },
    // Statements are sent without waiting for the answers to those before them.
    ...{ pipeline: true },
  })
  // Without listeners a lost connection would end the process. The statement that uses it fails.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => lostClients.add(client)))
  return pool
}

/** Whether the server is a copy that follows a primary. Waits for the answer no longer than for a connection. */
export async function isStandby(client: ClientBase): Promise<boolean> {
  const query = { text: 'select pg_is_in_recovery() as standby', query_timeout: STANDBY_TIMEOUT_MS }
  return (await client.query<{ standby: boolean }>(query)).rows[0]!.standby
}

function verifyPrimary(client: PoolClient, done: (error?: Error) => void): void {
  isStandby(client).then(
    (standby) => done(standby ? new StandbyError() : undefined),
    (error) => done(error),
  )
}

const STANDBY_TIMEOUT_MS = 2_000

const lostClients = new WeakSet<PoolClient>()

export function isLost(client: PoolClient): boolean {
  return lostClients.has(client)
}

/** The driver verifies the certificate in these modes anyway, but warns at each start that this will change. */
function setEffectiveSslMode(address: string): string {
  return address.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')
}

// As a default, because the pool ignores its own option if there is an address.
pg.defaults.password = readPassword as unknown as string

const INT8 = 20
const NUMERIC = 1700

/** The driver returns integers and sums as text, because they could exceed the safe integers. Studio's never do. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: any) =>
  oid === INT8 ? parseExactInteger : oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format)

function parseExactInteger(text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value)) return value
  throw new RangeError(`${text} from the database is too large for a number`)
}
