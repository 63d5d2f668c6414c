import pg, { type Pool, type PoolClient } from 'pg'

const MAX_CONNECTIONS = 10
/** Limits how long a call waits for a new connection, or for one of the pool to become free. */
const CONNECT_TIMEOUT_MS = 10_000
/** The system starts keep-alive probes after this much silence. */
const KEEP_ALIVE_DELAY_MS = 10_000

export type { Pool, PoolClient }

/** Creates a pool. It connects when a connection is needed. */
export function openPool(address: string): Pool {
  const pool = new pg.Pool({
    connectionString: setEffectiveSslMode(address),
    fallback_application_name: 'studio',
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    allowExitOnIdle: true,
    types: { getTypeParser },
  })
  // Without listeners a lost connection would end the process. The statement that uses it fails.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => lostClients.add(client)))
  return pool
}

const lostClients = new WeakSet<PoolClient>()

export function isLost(client: PoolClient): boolean {
  return lostClients.has(client)
}

/** The driver verifies the certificate in these modes anyway, but warns at each start that this will change. */
function setEffectiveSslMode(address: string): string {
  return address.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full')
}

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
