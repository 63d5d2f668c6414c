import {
  type Actor,
  asStudioError,
  type CallOrigin,
  type CallRecorder,
  type Context,
  type ErrorCode,
  type Log,
  type RecordedOperation,
  type Recording,
  type RecordingTime,
  type Surface,
} from '../../kernel'
import { DAY_MS } from '../../kernel/time'
import type { Database, StorageContext, WriteTx } from '../../storage'
import {
  addEntry,
  completeEntry,
  correctEntry,
  hasEntriesBefore,
  type NewEntry,
  openEntry,
  raiseTimes,
  removeEntries,
} from '../queries/audit-entries'
import { AttemptLimit } from '../rules/attempt-limit'
import { listTargets } from '../rules/targets'
import type { AuditOutcome } from '../schemas'
import { createLocalOrigin, describeCaller } from './describe-call'

/** What a process records its calls with. */
export interface AuditParts {
  db: Database
  clock: Context['clock']
  ids: Context['ids']
  log: Log
  /** How long entries are stored. */
  keepDays(): number
}

interface Begun<Needs> {
  op: RecordedOperation
  time: RecordingTime
  input: Record<string, unknown>
  ctx: Needs
}

/** A process that writes removes a few old entries, because there may be no service that does. */
const REMOVED_BY_CALL = 200

/** The database cannot store an entry after one of these either. */
const OF_STORAGE: readonly ErrorCode[] = [
  'unavailable',
  'database_damaged',
  'database_changed',
  'database_too_new',
  'database_busy',
  'disk_full',
  'read_only',
]

/** Records the calls of a process in the database. */
export class Audit {
  /** Callers with a right to the operation could fill the disk with calls that succeed, too. */
  readonly #failures = new AttemptLimit({ own: 20, kinds: 200 })
  readonly #refusals = new AttemptLimit({ own: 3, kinds: 10 })
  #hasRemoved = false

  constructor(private readonly parts: AuditParts) {}

  /** Records calls that come from there. */
  recorderFor(given: CallOrigin | Surface): CallRecorder {
    const origin = typeof given === 'string' ? createLocalOrigin(given, this.parts.ids.uuid()) : given
    return {
      begin: (call) => this.#begin(origin, call as never) as never,
      note: (tx, op, input) => addEntry(tx as WriteTx, this.#describe(origin, op, { actor: null, input })),
      refused: (op, actor, error) => this.#refused(origin, op, actor, error),
    }
  }

  async #begin<Needs extends Context & StorageContext>(
    origin: CallOrigin,
    { op, time, input, ctx }: Begun<Needs>,
  ): Promise<Recording<Needs>> {
    const describe = (outcome: AuditOutcome, answer: unknown = null, code: string | null = null) =>
      this.#describe(origin, op, { actor: ctx.actor, input, answer, outcome, code })
    const outcomeOf = (answer: unknown) => (op.isPartial?.(answer) ? 'partial' : 'done')
    switch (time) {
      case 'from-start': {
        const id = await this.parts.db.write((tx) => openEntry(tx, describe('started')), { locksRows: true })
        const complete = ({ outcome, code, targets }: NewEntry) =>
          this.#tryWrite(ctx.log, (tx) => completeEntry(tx, id, { outcome, code: code ?? null, targets }))
        return {
          ctx,
          done: (answer) => complete(describe(outcomeOf(answer), answer)),
          failed: (error) => complete(describeError(describe, error)),
        }
      }
      case 'at-end':
        return {
          ctx,
          done: (answer) => this.#tryWrite(ctx.log, (tx) => addEntry(tx, describe(outcomeOf(answer), answer))),
          failed: (error) => this.#attempted(ctx.log, this.#failures, describeError(describe, error)),
        }
      default: {
        const written = new RecordedWrites(ctx.db, (tx, result) => this.#add(tx, describe('done', result)))
        const forPreviews = { ...ctx.forPreviews, db: (ctx.forPreviews as StorageContext | undefined)?.db ?? ctx.db }
        const correct = (entry: NewEntry) =>
          this.#tryWrite(ctx.log, (tx) => correctEntry(tx, written.entry!, { ...entry, code: entry.code ?? null }))
        return {
          ctx: { ...ctx, db: written.db, forPreviews },
          async done(answer) {
            if (written.entry && op.isPartial?.(answer)) await correct(describe('partial', answer))
          },
          failed: (error) => {
            const entry = describeError(describe, error)
            return written.entry
              ? correct({ ...entry, outcome: 'partial' })
              : this.#attempted(ctx.log, this.#failures, entry)
          },
        }
      }
    }
  }

  async #add(tx: WriteTx, entry: NewEntry): Promise<NewEntry> {
    await addEntry(tx, entry)
    if (!this.#hasRemoved) {
      const before = this.parts.clock.now() - this.parts.keepDays() * DAY_MS
      if (await hasEntriesBefore(tx, before)) await removeEntries(tx, before, REMOVED_BY_CALL)
      this.#hasRemoved = true
    }
    return entry
  }

  async #refused(origin: CallOrigin, op: RecordedOperation, actor: Actor, error: unknown): Promise<void> {
    const { code } = asStudioError(error)
    const entry = this.#describe(origin, op, { actor, input: {}, outcome: 'refused', code })
    await this.#attempted(this.parts.log, this.#refusals, entry)
  }

  #describe(
    { requestId, surface, address }: CallOrigin,
    op: RecordedOperation,
    { actor, input, answer = null, outcome = 'done', code = null }: Described,
  ): NewEntry {
    return {
      at: this.parts.clock.now(),
      request_id: requestId,
      surface,
      ...(actor === null || surface === 'background' ? SERVICE : describeCaller(actor, op, input)),
      address,
      operation: op.id,
      targets: formatTargets(listTargets(op, input, answer)),
      outcome,
      code,
      times: 1,
    }
  }

  /** Adds the entry of a call that changed nothing, unless there were too many of them. */
  async #attempted(log: Log, limit: AttemptLimit, entry: NewEntry): Promise<void> {
    if (OF_STORAGE.includes(entry.code as ErrorCode)) return
    const caller = entry.credential ?? (entry.who === 'anonymous' ? entry.address : entry.who)
    const attempt = limit.take(JSON.stringify([caller, entry.operation, entry.code]), entry.at)
    if (attempt.kind === 'none') return
    if (attempt.kind === 'own') return this.#tryWrite(log, (tx) => addEntry(tx, entry))
    const { tally } = attempt
    if (tally.entry === null) {
      tally.entry = this.parts.db.write((tx) => openEntry(tx, entry), { locksRows: true })
      return tryTo(log, tally.entry)
    }
    const id = await tally.entry.catch(() => null)
    if (id !== null) await this.#tryWrite(log, (tx) => raiseTimes(tx, id, tally.times))
  }

  #tryWrite(log: Log, work: (tx: WriteTx) => Promise<unknown>): Promise<void> {
    return tryTo(log, this.parts.db.write(work, { locksRows: true }))
  }
}

/** For an entry of what is over: its caller gets the answer, or the error, in any case. */
async function tryTo(log: Log, writing: Promise<unknown>): Promise<void> {
  try {
    await writing
  } catch (error) {
    const { code, message } = asStudioError(error)
    log.error('an entry of the audit could not be written', { code, reason: message })
  }
}

interface Described {
  /** Null for the service itself. */
  actor: Actor | null
  input: Record<string, unknown>
  answer?: unknown
  outcome?: AuditOutcome
  code?: string | null
}

/** Who does what no caller asks for. */
const SERVICE = { who: 'studio', credential: null, tenant: null }

type Describe = (outcome: AuditOutcome, answer: unknown, code: string) => NewEntry

function describeError(describe: Describe, error: unknown): NewEntry {
  const { code } = asStudioError(error)
  return describe(code === 'forbidden' || code === 'unauthenticated' ? 'refused' : 'failed', null, code)
}

function formatTargets(targets: readonly string[]): string {
  return ` ${targets.map((target) => `${target} `).join('')}`
}

/** A database whose first write includes the entry of a call. */
class RecordedWrites {
  /** The entry, once it is committed. */
  entry: NewEntry | null = null
  readonly db: Database

  constructor(db: Database, add: (tx: WriteTx, result: unknown) => Promise<NewEntry>) {
    let isTaken = false
    const write: Database['write'] = async (work, options) => {
      if (isTaken) return db.write(work, options)
      isTaken = true
      let entry: NewEntry | null = null
      try {
        const result = await db.write(async (tx) => {
          const result = await work(tx)
          entry = await add(tx, result)
          return result
        }, options)
        this.entry = entry
        return result
      } catch (error) {
        isTaken = false
        throw error
      }
    }
    this.db = {
      read: (work, options) => db.read(work, options),
      write,
      settle: async () => db.settle?.(),
      version: () => db.version?.() ?? null,
      loadedVersion: () => db.loadedVersion?.() ?? null,
      requireWritable: async () => db.requireWritable?.(),
      requireSpace: async (change) => db.requireSpace?.(change),
      inspectServer: async () => (await db.inspectServer?.()) ?? null,
      inspectPool: () => db.inspectPool?.() ?? null,
      close: () => db.close(),
    }
  }
}
