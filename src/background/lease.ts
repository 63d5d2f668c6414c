import type { Kysely } from 'kysely'
import type { Context } from '../kernel'
import { type Migration, type StorageContext, tables, type WriteTx } from '../storage'

/** Which process does a work that only one may do at a time. */
interface LeaseTable {
  /** What is done: `webhooks`. */
  work: string
  holder: string
  /** In milliseconds since 1970. */
  expires_at: number
}

export const leaseMigration: Migration = {
  name: '0007-lease',
  async up(db: Kysely<any>) {
    await db.schema
      .createTable('lease')
      .addColumn('work', 'text', (c) => c.primaryKey())
      .addColumn('holder', 'text', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .execute()
  },
}

interface LeaseOptions {
  work: string
  /** Another process takes the work over after this time, if this one was killed. */
  forMs: number
  /** The lease is extended when less than this is left. */
  renewBelowMs: number
}

/** Lets one process of those that share a database do a work. */
export class Lease {
  readonly #holder: string
  #expiresAt = 0

  constructor(
    private readonly ctx: Pick<Context & StorageContext, 'db' | 'clock' | 'ids'>,
    private readonly options: LeaseOptions,
  ) {
    this.#holder = ctx.ids.uuid()
  }

  /** Whether no other process can have taken it. */
  get isValid(): boolean {
    return this.ctx.clock.now() < this.#expiresAt
  }

  /** Takes or extends the lease. False if another process holds it. */
  async hold(): Promise<boolean> {
    const { work, forMs, renewBelowMs } = this.options
    const now = this.ctx.clock.now()
    if (now < this.#expiresAt - renewBelowMs) return true
    const row = { work, holder: this.#holder, expires_at: now + forMs }
    const isHeld = await this.ctx.db.write((tx) => acquire(tx, row, now), { locksRows: true })
    this.#expiresAt = isHeld ? row.expires_at : 0
    return isHeld
  }

  /**
   * Does a work while no other process can hold the lease, if it can be taken. It is renewed meanwhile. If that shows that another process has
   * it, as after a long pause of this one, the signal of the work is aborted. A database that fails once does not end the work.
   */
  async whileHeld(signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
    if (!(await this.hold())) return false
    const lost = new AbortController()
    const renew = async () => {
      const isHeld = await this.hold().catch(() => this.isValid)
      if (!isHeld) lost.abort()
    }
    let renewing = Promise.resolve()
    const { forMs, renewBelowMs } = this.options
    const renewal = setInterval(() => {
      renewing = renew()
    }, forMs - renewBelowMs).unref()
    try {
      await work(AbortSignal.any([signal, lost.signal]))
    } finally {
      clearInterval(renewal)
      await renewing
      await this.release()
    }
    return true
  }

  async release(): Promise<void> {
    if (this.#expiresAt === 0) return
    this.#expiresAt = 0
    const own = { work: this.options.work, holder: this.#holder }
    await this.ctx.db.write(
      async (tx) => {
        await leases(tx).deleteFrom('lease').where('work', '=', own.work).where('holder', '=', own.holder).execute()
      },
      { locksRows: true },
    )
  }
}

const leases = (tx: WriteTx) => tables<{ lease: LeaseTable }>(tx)

async function acquire(tx: WriteTx, row: LeaseTable, now: number): Promise<boolean> {
  const [taken] = await leases(tx)
    .insertInto('lease')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('work')
        .doUpdateSet({ holder: row.holder, expires_at: row.expires_at })
        .where((held) => held.or([held('lease.holder', '=', row.holder), held('lease.expires_at', '<=', now)])),
    )
    .returning('holder')
    .execute()
  return taken !== undefined
}
