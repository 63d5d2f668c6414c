import { createHash } from 'node:crypto'
import {
  asStudioError,
  type Clock,
  type ErrorCode,
  type ErrorDetail,
  familyOf,
  type Hint,
  httpStatusOf,
  StudioError,
} from '../../kernel'
import { DAY_MS, MINUTE_MS } from '../../kernel/time'
import type { Database, WriteTx } from '../../storage'
import type { IdempotencyRecordTable } from '../migrations'
import { deleteExpiredRecords, findRecord, insertRecord, setRecordOutcome } from '../queries/idempotency-records'

/** A call that must have its effect once, however often it is sent. */
export interface IdempotentCall {
  tenantId: string
  method: string
  path: string
  /** What the caller calls it by: the header Idempotency-Key. */
  key: string
  /** All else that was sent; the key is for that alone. */
  content: string
}

export interface IdempotentAnswer {
  answer: unknown
  /** True where an earlier call had this answer, and nothing was done now. */
  isReplay: boolean
}

type RecordedOutcome =
  | { answer: unknown }
  | { refusal: { code: ErrorCode; message: string; hint: Hint | null; details: ErrorDetail[] } }

const RETENTION_MS = DAY_MS
const CLEANUP_INTERVAL_MS = MINUTE_MS
const CLEANUP_BATCH = 1_000

/**
 * Runs `run` on the database that it is given, and keeps its answer in the very transaction in which it writes: both are there, or
 * neither. A call that comes again gets that answer, in whichever process it arrives, and waits for the first where that is still
 * under way. Errors are stored too, except those about the credential or the rate limit of the caller. `run` opens one transaction that
 * writes, and returns what `work` gave; `shape` makes the answer of it. Throws `conflict` for a key that came with something else.
 */
export class IdempotencyStore {
  #nextSweepAt = Number.NEGATIVE_INFINITY

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  async call(
    call: IdempotentCall,
    run: (db: Database) => Promise<unknown>,
    shape: (value: unknown) => unknown,
  ): Promise<IdempotentAnswer> {
    const blank = this.#blank(call)
    const stored = await this.db.read((tx) => findRecord(tx, blank.id, this.clock.now()))
    if (stored) return replay(stored, blank)
    const keeping = new RecordingDatabase(this.db, blank, { shape, clock: this.clock })
    try {
      const answer = await run(keeping)
      if (!keeping.hasRecorded) await this.#keep(blank, { answer })
      return { answer, isReplay: false }
    } catch (error) {
      const first = keeping.existing ?? (isReplayable(error) && (await this.#keep(blank, toRefusal(error))))
      if (first) return replay(first, blank)
      throw error
    } finally {
      this.#sweep()
    }
  }

  #blank({ tenantId, method, path, key, content }: IdempotentCall): IdempotencyRecordTable {
    return {
      id: hashText(JSON.stringify([tenantId, method, path, key])),
      fingerprint: hashText(content),
      outcome: null,
      expires_at: this.clock.now() + RETENTION_MS,
    }
  }

  /** Returns null, or the record that another call stored first. */
  #keep(blank: IdempotencyRecordTable, outcome: RecordedOutcome): Promise<IdempotencyRecordTable | null> {
    return this.db.write(
      async (tx) => {
        const isFirst = await insertRecord(tx, { ...blank, outcome: JSON.stringify(outcome) }, this.clock.now())
        return isFirst ? null : findRecord(tx, blank.id, this.clock.now())
      },
      { locksRows: true },
    )
  }

  /** Beside the calls, and now and then: it is housekeeping, and the next one does what this one could not. */
  #sweep(): void {
    const now = this.clock.now()
    if (now < this.#nextSweepAt) return
    this.#nextSweepAt = now + CLEANUP_INTERVAL_MS
    this.db
      .write((tx) => deleteExpiredRecords(tx, now, CLEANUP_BATCH), { locksRows: true })
      .then((swept) => {
        // There may be more: the next call goes on, so that no pace of calls outruns the sweeping.
        if (swept === CLEANUP_BATCH) this.#nextSweepAt = now
      })
      .catch(() => {})
  }
}

/** Stores the answer in the same transaction as the write. */
class RecordingDatabase implements Database {
  hasRecorded = false
  /** The record of an earlier call, if the transaction found one. */
  existing: IdempotencyRecordTable | null = null

  constructor(
    private readonly db: Database,
    private readonly blank: IdempotencyRecordTable,
    private readonly given: { shape(value: unknown): unknown; clock: Clock },
  ) {}

  read: Database['read'] = (work) => this.db.read(work)
  write: Database['write'] = async (work, options) => {
    const value = await this.db.write(async (tx) => {
      await this.#claim(tx)
      const done = await work(tx)
      await setRecordOutcome(
        tx,
        this.blank.id,
        JSON.stringify({ answer: this.given.shape(done) } satisfies RecordedOutcome),
      )
      return done
    }, options)
    this.hasRecorded = true
    return value
  }
  close: Database['close'] = () => this.db.close()

  async #claim(tx: WriteTx): Promise<void> {
    const now = this.given.clock.now()
    if (await insertRecord(tx, this.blank, now)) return
    this.existing = await findRecord(tx, this.blank.id, now)
    throw new StudioError('conflict', 'The call is answered already.')
  }
}

function replay({ fingerprint, outcome }: IdempotencyRecordTable, asked: IdempotencyRecordTable): IdempotentAnswer {
  if (fingerprint !== asked.fingerprint) {
    throw new StudioError('conflict', 'This Idempotency-Key came with another request before.', {
      hint: 'Send a new key with each new request; the same one only to send the same request again.',
    })
  }
  const stored = JSON.parse(outcome!) as RecordedOutcome
  if ('answer' in stored) return { answer: stored.answer, isReplay: true }
  const { code, message, hint, details } = stored.refusal
  throw new StudioError(code, message, { hint, details })
}

function toRefusal(error: unknown): RecordedOutcome {
  const { code, message, hint, details } = asStudioError(error)
  return { refusal: { code, message, hint, details } }
}

function isReplayable(error: unknown): boolean {
  const { code } = asStudioError(error)
  const status = httpStatusOf(code)
  return status >= 400 && status < 500 && ![401, 429].includes(status) && familyOf(code) !== 'interrupted'
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
