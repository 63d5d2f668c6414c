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
import {
  deleteExpiredRecords,
  findRecord,
  insertRecord,
  rewriteRecord,
  setRecordOutcome,
} from '../queries/idempotency-records'
import type { IdempotencyRecordTable } from '../tables'

/** A request that must have its effect once, however often it is sent. */
export interface IdempotentCall {
  tenantId: string
  method: string
  path: string
  /** The value of the header Idempotency-Key. */
  key: string
  /** The rest of the request. The key is valid for this content only. */
  content: string
}

export interface IdempotentAnswer {
  answer: unknown
  /** Whether this is the stored answer of an earlier request. */
  isReplay: boolean
}

type RecordedOutcome =
  | { answer: unknown }
  | { refusal: { code: ErrorCode; message: string; hint: Hint | null; details: ErrorDetail[] } }

const RETENTION_MS = DAY_MS
const CLEANUP_INTERVAL_MS = MINUTE_MS
const CLEANUP_BATCH = 1_000

/**
 * Runs a request and stores its answer in the transaction in which it writes, so that either both are saved or neither. A repeated request
 * gets the stored answer, in any process, and waits for the first one if that is still running. Errors are stored too, except those
 * about the credential or the rate limit of the caller. `run` must open one write transaction on the given database and return its
 * result; `shape` converts that result to the answer. Throws `conflict` for a key that was used with another request.
 */
export class IdempotencyStore {
  #nextCleanupAt = Number.NEGATIVE_INFINITY

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  async call(
    call: IdempotentCall,
    run: (db: Database) => Promise<unknown>,
    shape: (value: unknown) => unknown,
  ): Promise<IdempotentAnswer> {
    const record = this.#createRecord(call)
    const stored = await this.db.read((tx) => findRecord(tx, record.id, this.clock.now()))
    if (stored) return this.#replay(stored, record)
    const recorder = new RecordingDatabase(this.db, record, { shape, clock: this.clock })
    try {
      const answer = await run(recorder)
      if (!recorder.hasRecorded) await this.#saveOutcome(record, { answer })
      return { answer, isReplay: false }
    } catch (error) {
      const first = recorder.existing ?? (isReplayable(error) && (await this.#saveOutcome(record, toRefusal(error))))
      if (first) return await this.#replay(first, record)
      throw error
    } finally {
      this.#deleteExpired()
    }
  }

  #createRecord({ tenantId, method, path, key, content }: IdempotentCall): IdempotencyRecordTable {
    return {
      id: hashText(JSON.stringify([tenantId, method, path, key])),
      fingerprint: hashText(content),
      outcome: null,
      expires_at: this.clock.now() + RETENTION_MS,
    }
  }

  /**
   * Sends a stored answer again only after another commit. A read may see a record that would be lost with the server, because no standby
   * has it yet: after a restart of the server, or if the wait for a standby was cancelled. A commit waits for everything before it.
   */
  async #replay(stored: IdempotencyRecordTable, record: IdempotencyRecordTable): Promise<IdempotentAnswer> {
    const answer = replay(stored, record)
    if (await this.db.write((tx) => rewriteRecord(tx, record.id), { locksRows: true })) return answer
    throw new StudioError('unavailable', 'The answer to the first request was lost while the database failed over.', {
      hint: 'Try again.',
      retryAfterSeconds: 1,
    })
  }

  /** Returns null, or the record that another request stored first. */
  #saveOutcome(record: IdempotencyRecordTable, outcome: RecordedOutcome): Promise<IdempotencyRecordTable | null> {
    return this.db.write(
      async (tx) => {
        const isFirst = await insertRecord(tx, { ...record, outcome: JSON.stringify(outcome) }, this.clock.now())
        return isFirst ? null : findRecord(tx, record.id, this.clock.now())
      },
      { locksRows: true },
    )
  }

  /** Runs in the background. Errors are ignored because the next cleanup tries again. */
  #deleteExpired(): void {
    const now = this.clock.now()
    if (now < this.#nextCleanupAt) return
    this.#nextCleanupAt = now + CLEANUP_INTERVAL_MS
    this.db
      .write((tx) => deleteExpiredRecords(tx, now, CLEANUP_BATCH), { locksRows: true })
      .then((deleted) => {
        // There may be more: the next request continues, so that records do not pile up under load.
        if (deleted === CLEANUP_BATCH) this.#nextCleanupAt = now
      })
      .catch(() => {})
  }
}

/** Stores the answer in the transaction of the request. */
class RecordingDatabase implements Database {
  hasRecorded = false
  /** The record of an earlier request, if the transaction found one. */
  existing: IdempotencyRecordTable | null = null

  constructor(
    private readonly db: Database,
    private readonly record: IdempotencyRecordTable,
    private readonly options: { shape(value: unknown): unknown; clock: Clock },
  ) {}

  read: Database['read'] = (work) => this.db.read(work)
  write: Database['write'] = async (work, options) => {
    const value = await this.db.write(async (tx) => {
      await this.#claim(tx)
      const result = await work(tx)
      await setRecordOutcome(
        tx,
        this.record.id,
        JSON.stringify({ answer: this.options.shape(result) } satisfies RecordedOutcome),
      )
      return result
    }, options)
    this.hasRecorded = true
    return value
  }
  close: Database['close'] = () => this.db.close()

  async #claim(tx: WriteTx): Promise<void> {
    const now = this.options.clock.now()
    if (await insertRecord(tx, this.record, now)) return
    this.existing = await findRecord(tx, this.record.id, now)
    throw new StudioError('conflict', 'The request was already answered.')
  }
}

function replay({ fingerprint, outcome }: IdempotencyRecordTable, current: IdempotencyRecordTable): IdempotentAnswer {
  if (fingerprint !== current.fingerprint) {
    throw new StudioError('conflict', 'This Idempotency-Key was already used with another request.', {
      hint: 'Use a new key for each new request. Repeat a key only to repeat the same request.',
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
