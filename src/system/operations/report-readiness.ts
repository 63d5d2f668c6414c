import * as z from 'zod'
import type { ModelContext } from '../../assistant'
import { asStudioError, type Context, type Hint, hint, operation, StudioError, suggest } from '../../kernel'
import type { Database, StorageContext } from '../../storage'
import type { TrackerContext } from '../../tracker'

const Part = z.object({
  status: z.enum(['ok', 'failed']),
  message: z.string().nullable().describe('Why it failed'),
  hint: z.string().nullable().describe('The mend'),
})
type Part = z.infer<typeof Part>

const Readiness = z.object({
  status: z
    .enum(['ready', 'degraded'])
    .describe('Degraded: what needs the tracker or the language model fails, all else works'),
  database: Part,
  tracker: Part,
  model: Part,
  checkedAt: z.string().describe('ISO 8601 UTC with milliseconds'),
})
type Readiness = z.infer<typeof Readiness>

type ReadinessContext = Context &
  StorageContext &
  TrackerContext &
  ModelContext & { formatHint(hint: Hint): Promise<string> }

/** Each is asked for at most this long, and not again before that: whoever asks us must not wear out those behind us. */
const CHECK_TIMEOUT_MS = 3_000
const CACHE_MS = 5_000

const latest = new WeakMap<Database, { at: number; answer: Promise<Readiness> }>()

export const reportReadiness = operation({
  id: 'system.ready',
  summary: 'Say whether the service can do its work: database, tracker, language model',
  description: 'An answer may be some seconds old. Without the database it is 503.',
  effect: 'read',
  access: 'workspace',
  input: z.object({}),
  output: Readiness,
  errors: ['unavailable'],
  http: { method: 'get', path: '/api/ready', extension: true },
  async run(ctx: ReadinessContext) {
    const now = ctx.clock.now()
    const kept = latest.get(ctx.db)
    const answer = kept && now - kept.at < CACHE_MS ? kept.answer : checkReadiness(ctx)
    if (answer !== kept?.answer) latest.set(ctx.db, { at: now, answer })
    const readiness = await answer
    if (readiness.database.status === 'ok') return readiness
    throw new StudioError('unavailable', `The database cannot be used: ${readiness.database.message}`, {
      hint: readiness.database.hint ?? hint`See: ${suggest('system.doctor')}`,
      retryAfterSeconds: CACHE_MS / 1000,
    })
  },
})

async function checkReadiness(ctx: ReadinessContext): Promise<Readiness> {
  const [database, tracker, model] = await Promise.all([
    checkPart(ctx, () => ctx.db.read(async () => {})),
    checkPart(ctx, async (signal) => {
      const opened = await ctx.tracker()
      await opened.getShape(1, signal).catch(ignoreNotFound)
    }),
    checkPart(ctx, async (signal) => (await ctx.model()).listModels(signal)),
  ])
  const isWhole = tracker.status === 'ok' && model.status === 'ok'
  const checkedAt = new Date(ctx.clock.now()).toISOString()
  return { status: isWhole ? 'ready' : 'degraded', database, tracker, model, checkedAt }
}

/** A tracker that says it has no such item has answered. */
function ignoreNotFound(error: unknown): void {
  if (!(error instanceof StudioError && error.code === 'not_found')) throw error
}

/** Not bound to the caller's own signal: others may wait for the same answer. */
async function checkPart(
  { formatHint }: ReadinessContext,
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<Part> {
  const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS)
  const late = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  try {
    await Promise.race([work(signal), late])
    return { status: 'ok', message: null, hint: null }
  } catch (error) {
    const { message, hint } = asStudioError(error)
    return { status: 'failed', message, hint: hint && (await formatHint(hint)) }
  }
}
