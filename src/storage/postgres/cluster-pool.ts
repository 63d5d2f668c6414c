import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isStandby, openServerPool, type Pool, type PoolClient } from './pool'
import { StandbyError } from './postgres-errors'

/** How long a call waits for a primary before it fails. */
const SEARCH_TIMEOUT_MS = 10_000
const SEARCH_PAUSE_MS = 200
const PROBE_TIMEOUT_MS = 2_000
/** A call that takes longer may hang, because its server no longer answers. */
const SUSPICIOUS_MS = 2_000
const WATCH_MS = 1_000

/** The pool of the server that is believed to be the primary. */
interface Primary {
  address: string
  pool: pg.Pool
  /** Connections in use and calls that wait for one, with the time since when. */
  since: Map<object, number>
  clients: Set<PoolClient>
  /** Is resolved when another server has become the primary. */
  left: Promise<void>
  leave(): void
}

/**
 * The connections to the primary of a cluster, whose servers an address lists. It looks for the primary when there is none, and when calls
 * take suspiciously long: a server that is cut off closes no connection. Calls that hang on it are then ended.
 */
export class ClusterPool implements Pool {
  readonly #addresses: readonly string[]
  #primary: Primary | null = null
  #search: Promise<Primary> | null = null
  #watch: NodeJS.Timeout | null = null

  constructor(addresses: readonly string[]) {
    this.#addresses = addresses
  }

  get totalCount(): number {
    return this.#primary?.pool.totalCount ?? 0
  }

  get idleCount(): number {
    return this.#primary?.pool.idleCount ?? 0
  }

  get waitingCount(): number {
    return this.#primary?.pool.waitingCount ?? 0
  }

  async connect(): Promise<PoolClient> {
    const deadline = performance.now() + SEARCH_TIMEOUT_MS
    for (;;) {
      try {
        const client = await this.#connectTo(await this.#find(), deadline)
        if (client) return client
      } catch (error) {
        if (performance.now() > deadline) throw error
      }
      await sleep(SEARCH_PAUSE_MS)
    }
  }

  async end(): Promise<void> {
    if (this.#watch) clearInterval(this.#watch)
    const found = this.#primary ?? (await this.#search?.catch(() => null))
    await found?.pool.end()
  }

  /** A connection; null if the server is no longer the primary. */
  async #connectTo(primary: Primary, deadline: number): Promise<PoolClient | null> {
    const call = {}
    primary.since.set(call, performance.now())
    this.#startWatch()
    const connecting = primary.pool.connect()
    try {
      const client = await Promise.race([connecting, primary.left.then(() => null)])
      if (client === null) {
        connecting.then((late) => late.release(true)).catch(() => {})
        return null
      }
      this.#track(primary, client)
      return client
    } catch (error) {
      if (performance.now() > deadline) throw error
      const isStillPrimary = (await probe([primary.address]).catch(() => null)) !== null
      if (isStillPrimary) throw error
      this.#leave(primary)
      return null
    } finally {
      primary.since.delete(call)
    }
  }

  /** Remembers the connection until it is released. */
  #track(primary: Primary, client: PoolClient): void {
    primary.since.set(client, performance.now())
    primary.clients.add(client)
    const release = client.release
    client.release = (isLost) => {
      client.release = release
      primary.since.delete(client)
      primary.clients.delete(client)
      release.call(client, isLost)
    }
  }

  /** The calls that need a primary share one attempt to find it. */
  #find(): Promise<Primary> {
    if (this.#primary) return Promise.resolve(this.#primary)
    this.#search ??= probe(this.#addresses)
      .then((address) => {
        this.#primary = openPrimary(address)
        return this.#primary
      })
      .finally(() => {
        this.#search = null
      })
    return this.#search
  }

  /** Ends what hangs on a server that is no longer the primary. New calls look for the new one. */
  #leave(primary: Primary): void {
    if (this.#primary === primary) this.#primary = null
    primary.leave()
    for (const client of primary.clients) destroyConnection(client)
    primary.pool.end().catch(() => {})
  }

  #startWatch(): void {
    this.#watch ??= setInterval(() => void this.#lookForOther(), WATCH_MS).unref()
  }

  async #lookForOther(): Promise<void> {
    const primary = this.#primary
    if (primary === null) return
    const oldest = Math.min(...primary.since.values())
    if (primary.since.size === 0) {
      clearInterval(this.#watch!)
      this.#watch = null
    } else if (performance.now() - oldest > SUSPICIOUS_MS) {
      const other = await probe(this.#addresses.filter((address) => address !== primary.address)).catch(() => null)
      if (other !== null) this.#leave(primary)
    }
  }
}

function openPrimary(address: string): Primary {
  let leave = () => {}
  const left = new Promise<void>((resolve) => {
    leave = resolve
  })
  const pool = openServerPool(address, { refusesStandby: true })
  return { address, pool, since: new Map(), clients: new Set(), left, leave }
}

/** The first of the servers that answers as a primary. Throws the error of a server if none does. */
async function probe(addresses: readonly string[]): Promise<string> {
  const attempts = addresses.map(async (address) => {
    const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: PROBE_TIMEOUT_MS })
    client.on('error', () => {})
    try {
      await client.connect()
      if (await isStandby(client)) throw new StandbyError()
      return address
    } finally {
      void client.end().catch(() => {})
    }
  })
  return Promise.any(attempts).catch((error: AggregateError) => {
    throw error.errors.find((each) => 'code' in each) ?? error.errors[0] ?? error
  })
}

function destroyConnection(client: PoolClient): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
  connection.stream.destroy()
}
