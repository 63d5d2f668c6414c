import * as z from 'zod'
import type { ModelContext } from '../../assistant'
import { touchWorkspace } from '../../items'
import {
  asStudioError,
  type Context,
  type Hint,
  hint,
  operation,
  StudioError,
  suggest,
  withoutPlaces,
} from '../../kernel'
import { formatInstant } from '../../kernel/time'
import type { Database, StorageContext } from '../../storage'
import type { TrackerContext } from '../../tracker'

const Part = z.object({
  status: z.enum(['ok', 'failed']),
  message: z.string().nullable().describe('Why it failed'),
  hint: z.string().nullable().describe('How to fix it'),
})
type Part = z.infer<typeof Part>

const Readiness = z.object({
  status: z
    .enum(['ready', 'degraded'])
    .describe('Degraded: operations that need a failed tracker or a failed language model fail; all others work'),
  database: Part,
  tracker: Part,
  furtherTrackers: z.array(Part.extend({ name: z.string() })).describe('The trackers besides the default one'),
  model: Part,
  checkedAt: z.string().describe('ISO 8601 UTC with milliseconds'),
})
type Readiness = z.infer<typeof Readiness>

type ReadinessContext = Context &
  StorageContext &
  TrackerContext &
  ModelContext & { formatHint(hint: Hint): Promise<string> }

/** The result is cached, so that frequent checks of the service do not burden the tracker and the language model. */
const CHECK_TIMEOUT_MS = 3_000
const CACHE_MS = 5_000

const latest = new WeakMap<Database, { at: number; result: Promise<Readiness> }>()

export const reportReadiness = operation({
  id: 'system.ready',
  summary: 'Report whether the database, the tracker and the language model can be used',
  description:
    'The result may be some seconds old. The status is 503 if the database cannot be used, or if nothing can be written to it.',
  effect: 'read',
  access: 'workspace',
  input: z.object({}),
  output: Readiness,
  errors: ['unavailable'],
  http: { method: 'get', path: '/api/ready', extension: true },
  async run(ctx: ReadinessContext) {
    const now = ctx.clock.now()
    const cached = latest.get(ctx.db)
    const result = cached && now - cached.at < CACHE_MS ? cached.result : checkReadiness(ctx)
    if (result !== cached?.result) latest.set(ctx.db, { at: now, result })
    const readiness = await result
    if (readiness.database.status === 'ok') return readiness
    throw new StudioError('unavailable', `The service is not ready. ${readiness.database.message}`, {
      hint: readiness.database.hint ?? hint`Find the cause: ${suggest('system.doctor')}`,
      retryAfterSeconds: CACHE_MS / 1000,
    })
  },
})

async function checkReadiness(ctx: ReadinessContext): Promise<Readiness> {
  const [database, tracker, model, furtherTrackers] = await Promise.all([
    checkPart(ctx, async () => {
      await ctx.db.read(async () => {})
      await ctx.db.requireWritable?.()
      await ctx.db.requireSpace?.(touchWorkspace).catch(addWhatItMeans)
    }),
    checkTracker(ctx),
    checkPart(ctx, async (signal) => (await ctx.model()).listModels(signal)),
    Promise.all(ctx.furtherTrackers.map(async ({ name }) => ({ name, ...(await checkTracker(ctx, name)) }))),
  ])
  const isReady = [tracker, ...furtherTrackers, model].every(({ status }) => status === 'ok')
  const checkedAt = formatInstant(ctx.clock.now())
  return { status: isReady ? 'ready' : 'degraded', database, tracker, furtherTrackers, model, checkedAt }
}

function addWhatItMeans(error: unknown): never {
  throw error instanceof StudioError ? error.copyWith({ message: `Nothing can be written. ${error.message}` }) : error
}

function checkTracker(ctx: ReadinessContext, name?: string): Promise<Part> {
  return checkPart(ctx, async (signal) => {
    const opened = await ctx.tracker(name)
    await opened.getShape(1, signal).catch(ignoreNotFound)
  })
}

/** A tracker that reports a missing item is reachable. */
function ignoreNotFound(error: unknown): void {
  if (!(error instanceof StudioError && error.code === 'not_found')) throw error
}

/** Does not use the signal of the caller, because other callers may wait for the same result. */
async function checkPart(
  { formatHint }: ReadinessContext,
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<Part> {
  const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS)
  const timeout = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  try {
    await Promise.race([work(signal), timeout])
    return { status: 'ok', message: null, hint: null }
  } catch (error) {
    // The result is for callers of the service, who learn no places of its machine.
    const { message, hint } = withoutPlaces(asStudioError(error))
    return { status: 'failed', message, hint: hint && (await formatHint(hint)) }
  }
}
