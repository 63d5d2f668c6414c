import { createHash } from 'node:crypto'
import {
  asStudioError,
  type Clock,
  type ErrorCode,
  type ErrorDetail,
  familyOf,
  httpStatusOf,
  StudioError,
} from '../kernel'
import type { Database, WriteTx } from '../storage'
import { findAnswer, putAnswer, setOutcome, sweepAnswers } from './kept-answer-queries'
import type { KeptAnswerTable } from './kept-answer-table'

/** A call that must have its effect once, however often it is sent. */
export interface OnceCall {
  tenantId: string
  method: string
  path: string
  /** What the caller calls it by: the header Idempotency-Key. */
  key: string
  /** All else that was sent; the key is for that alone. */
  content: string
}

export interface OnceAnswer {
  answer: unknown
  /** True where an earlier call had this answer, and nothing was done now. */
  isReplay: boolean
}

type KeptOutcome =
  | { answer: unknown }
  | { refusal: { code: ErrorCode; message: string; hint: string | null; details: ErrorDetail[] } }

const KEPT_FOR_MS = 24 * 3_600_000
const SWEEP_EVERY_MS = 60_000
const SWEPT_AT_ONCE = 1_000

/**
 * Runs `run` on the database that it is given, and keeps its answer in the very transaction in which it writes: both are there, or
 * neither. A call that comes again gets that answer, in whichever process it arrives, and waits for the first where that is still
 * under way. Refusals are kept too, but for those that tell of the caller's credential or pace. `run` opens one transaction that
 * writes, and returns what `work` gave; `shape` makes the answer of it. Throws `conflict` for a key that came with something else.
 */
export class AnswerOnce {
  #nextSweepAt = Number.NEGATIVE_INFINITY

  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
  ) {}

  async call(
    call: OnceCall,
    run: (db: Database) => Promise<unknown>,
    shape: (value: unknown) => unknown,
  ): Promise<OnceAnswer> {
    const blank = this.#blank(call)
    const kept = await this.db.read((tx) => findAnswer(tx, blank.id, this.clock.now()))
    if (kept) return replay(kept, blank)
    const keeping = new KeepingDatabase(this.db, blank, { shape, clock: this.clock })
    try {
      const answer = await run(keeping)
      if (!keeping.hasKept) await this.#keep(blank, { answer })
      return { answer, isReplay: false }
    } catch (error) {
      const first = keeping.first ?? (isKept(error) && (await this.#keep(blank, refusalOf(error))))
      if (first) return replay(first, blank)
      throw error
    } finally {
      this.#sweep()
    }
  }

  #blank({ tenantId, method, path, key, content }: OnceCall): KeptAnswerTable {
    return {
      id: digest(JSON.stringify([tenantId, method, path, key])),
      fingerprint: digest(content),
      outcome: null,
      expires_at: this.clock.now() + KEPT_FOR_MS,
    }
  }

  /** Null, or what another call has kept meanwhile. */
  #keep(blank: KeptAnswerTable, outcome: KeptOutcome): Promise<KeptAnswerTable | null> {
    return this.db.write(
      async (tx) => {
        const isFirst = await putAnswer(tx, { ...blank, outcome: JSON.stringify(outcome) }, this.clock.now())
        return isFirst ? null : findAnswer(tx, blank.id, this.clock.now())
      },
      { locksRows: true },
    )
  }

  /** Beside the calls, and now and then: it is housekeeping, and the next one does what this one could not. */
  #sweep(): void {
    const now = this.clock.now()
    if (now < this.#nextSweepAt) return
    this.#nextSweepAt = now + SWEEP_EVERY_MS
    this.db
      .write((tx) => sweepAnswers(tx, now, SWEPT_AT_ONCE), { locksRows: true })
      .then((swept) => {
        // There may be more: the next call goes on, so that no pace of calls outruns the sweeping.
        if (swept === SWEPT_AT_ONCE) this.#nextSweepAt = now
      })
      .catch(() => {})
  }
}

/** The database, with the answer kept in the transaction of whoever writes. */
class KeepingDatabase implements Database {
  hasKept = false
  /** What an earlier call has kept, if the transaction found it. */
  first: KeptAnswerTable | null = null

  constructor(
    private readonly db: Database,
    private readonly blank: KeptAnswerTable,
    private readonly given: { shape(value: unknown): unknown; clock: Clock },
  ) {}

  read: Database['read'] = (work) => this.db.read(work)
  write: Database['write'] = async (work, options) => {
    const value = await this.db.write(async (tx) => {
      await this.#claim(tx)
      const done = await work(tx)
      await setOutcome(tx, this.blank.id, JSON.stringify({ answer: this.given.shape(done) } satisfies KeptOutcome))
      return done
    }, options)
    this.hasKept = true
    return value
  }
  close: Database['close'] = () => this.db.close()

  async #claim(tx: WriteTx): Promise<void> {
    const now = this.given.clock.now()
    if (await putAnswer(tx, this.blank, now)) return
    this.first = await findAnswer(tx, this.blank.id, now)
    throw new StudioError('conflict', 'The call is answered already.')
  }
}

function replay({ fingerprint, outcome }: KeptAnswerTable, asked: KeptAnswerTable): OnceAnswer {
  if (fingerprint !== asked.fingerprint) {
    throw new StudioError('conflict', 'This Idempotency-Key came with another request before.', {
      hint: 'Send a new key with each new request; the same one only to send the same request again.',
    })
  }
  const kept = JSON.parse(outcome!) as KeptOutcome
  if ('answer' in kept) return { answer: kept.answer, isReplay: true }
  const { code, message, hint, details } = kept.refusal
  throw new StudioError(code, message, { hint: hint ?? undefined, details })
}

function refusalOf(error: unknown): KeptOutcome {
  const { code, message, hint, details } = asStudioError(error)
  return { refusal: { code, message, hint, details } }
}

function isKept(error: unknown): boolean {
  const { code } = asStudioError(error)
  const status = httpStatusOf(code)
  return status >= 400 && status < 500 && ![401, 429].includes(status) && familyOf(code) !== 'interrupted'
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
