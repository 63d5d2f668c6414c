import * as z from 'zod'
import type { Actor } from './actor'
import { authorize } from './authorize'
import type { Recording } from './call-recorder'
import type { Context } from './context'
import { asStudioError, familyOf, StudioError } from './errors'
import { detailsOf, inputError, wordsFor } from './input/input-error'
import { type AnyOperation, isRecorded, type Operation, recordingTimeOf, type StreamEvent } from './operation'
import { addNewPlan, hasPlan, Plan } from './plan'
import { Budget, DEFAULT_COMPUTING_MS, runInTurns } from './work/budget'
import { isLarge, parseInSteps } from './work/parse-in-steps'

/** The only door to the core: authorize, validate, run, check the answer, log. */
export async function execute<In extends z.ZodObject, Out extends z.ZodType, Needs extends Context>(
  op: Operation<In, Out, Needs>,
  raw: unknown,
  ctx: Needs,
): Promise<z.output<Out>> {
  const outcome = withOutcome(op, ctx)
  try {
    await admit(op, ctx)
    const input = await resolveInput(op, raw, ctx)
    ctx.signal.throwIfAborted()
    const answer = await runRecorded(op, input, contextFor(op, ctx), (own) =>
      hasPlan(op) ? runPlanned(op, input, own) : op.run(own, input),
    )
    const checked = await checkOutput(op, op.output, answer, ctx)
    outcome.done()
    return checked
  } catch (error) {
    throw await outcome.failed(error)
  }
}

/** Throws for a caller who may not call the operation, and records the attempt, unless the operation only reads. */
async function admit(op: AnyOperation, ctx: Context): Promise<void> {
  try {
    authorize(op, ctx.actor)
  } catch (error) {
    if (isRecorded(op)) await ctx.recorder?.refused(op, ctx.actor, error)
    throw error
  }
}

async function runRecorded<Needs extends Context, Answer>(
  op: AnyOperation,
  input: Record<string, unknown>,
  ctx: Needs,
  run: (ctx: Needs) => Promise<Answer>,
): Promise<Answer> {
  const recording = await beginRecording(op, input, ctx)
  if (recording === null) return run(ctx)
  try {
    const answer = await run(recording.ctx)
    await recording.done(answer)
    return answer
  } catch (error) {
    await recording.failed(error)
    throw error
  }
}

async function beginRecording<Needs extends Context>(
  op: AnyOperation,
  input: Record<string, unknown>,
  ctx: Needs,
): Promise<Recording<Needs> | null> {
  const time = ctx.recorder ? recordingTimeOf(op, input) : 'none'
  return time === 'none' ? null : ctx.recorder!.begin({ op, time, input, ctx })
}

/**
 * Runs an operation that has a dry run. The answer of a dry run names its plan. A call that names a plan does exactly that, or fails with
 * `plan_changed` and the new plan.
 */
async function runPlanned(op: AnyOperation, input: Record<string, unknown>, ctx: Context): Promise<any> {
  const { planId = null, dryRun, ...call } = input as { planId?: string; dryRun: boolean }
  const preview = async () => {
    const plan = new Plan({ operation: op.id, call }, null)
    const answer = await op.run({ ...ctx, ...ctx.forPreviews, plan }, { ...call, dryRun: true })
    if (plan.id === null) throw new StudioError('internal', `The dry run of ${op.id} settled no plan.`)
    return { ...answer, planId: plan.id }
  }
  if (dryRun) return preview()
  try {
    const plan = planId === null ? null : new Plan({ operation: op.id, call }, planId)
    return await op.run(plan === null ? ctx : { ...ctx, plan }, { ...call, dryRun })
  } catch (error) {
    if (!(error instanceof StudioError) || error.code !== 'plan_changed') throw error
    throw addNewPlan(error, await checkOutput(op, op.output, await preview(), ctx))
  }
}

async function resolveInput<In extends z.ZodObject>(
  op: Operation<In, any, any>,
  raw: unknown,
  ctx: Context,
): Promise<z.output<In>> {
  return parseInput(op, ctx.resolveInput ? await ctx.resolveInput(op, raw) : raw)
}

/** The context with a budget of the call. What only reads may read copies of the data. */
function contextFor<Needs extends Context>(op: AnyOperation, ctx: Needs): Needs {
  const budget = new Budget(computingLimitOf(op, ctx.actor))
  return op.effect === 'read' ? { ...ctx, budget, ...ctx.forReads } : { ...ctx, budget }
}

/** In milliseconds. No one else waits for a person at a terminal, who can interrupt the call. */
function computingLimitOf({ computingMs, http }: AnyOperation, actor: Actor): number {
  if (actor.kind === 'terminal') return Number.POSITIVE_INFINITY
  return computingMs ?? Math.max(DEFAULT_COMPUTING_MS, http?.withinMs ?? 0)
}

/** Logs how a call ended. `failed` returns the error that a surface may report. */
function withOutcome(op: AnyOperation, ctx: Context): { done(): void; failed(error: unknown): Promise<StudioError> } {
  const startedAt = ctx.clock.now()
  return {
    done: () => ctx.log.debug('operation done', { operation: op.id, durationMs: ctx.clock.now() - startedAt }),
    async failed(error) {
      const known = asStudioError(error)
      const facts = { operation: op.id, code: known.code, durationMs: ctx.clock.now() - startedAt }
      if (familyOf(known.code) === 'internal')
        ctx.log.error('operation failed', { ...facts, cause: known.cause ?? known })
      else ctx.log.debug('operation refused', facts)
      // The error is reported as it is if it cannot be explained.
      return ctx.explainError ? ctx.explainError(known).catch(() => known) : known
    },
  }
}

/** The checked input with its defaults. Throws one `invalid` error that names every invalid field. */
export function parseInput<In extends z.ZodObject>(op: Operation<In, any, any>, raw: unknown): z.output<In> {
  const parsed = op.input.safeParse(raw, { error: wordsFor, reportInput: true })
  if (parsed.success) return parsed.data
  throw inputError(detailsOf(parsed.error))
}

/** An answer that does not match its schema is an error in studio, and should be found here rather than by a client. */
async function checkOutput<Out extends z.ZodType>(
  op: AnyOperation,
  schema: Out,
  answer: z.input<Out>,
  { signal }: Context,
): Promise<z.output<Out>> {
  try {
    if (!isLarge(answer)) return schema.parse(answer)
    // What was changed stays changed, so its caller gets the answer.
    return (await runInTurns(parseInSteps(schema, answer), op.effect === 'read' ? signal : undefined)) as z.output<Out>
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error
    throw new StudioError('internal', `The answer of ${op.id} does not fit its own schema.`, { cause: error })
  }
}

/**
 * Like `execute()`, for a streamed answer. Nothing happens before the first part is requested, and each part is produced when the
 * previous one was taken, so that a slow reader slows the source down.
 */
export async function* executeStream(
  op: AnyOperation,
  raw: unknown,
  ctx: Context,
): AsyncGenerator<StreamEvent, void, undefined> {
  const outcome = withOutcome(op, ctx)
  let recording: Recording<Context> | null = null
  try {
    if (!op.stream) throw new StudioError('internal', `The answer of ${op.id} does not come in parts.`)
    await admit(op, ctx)
    const input = await resolveInput(op, raw, ctx)
    ctx.signal.throwIfAborted()
    // A stream may last for days, so each part has a budget. It reads where its changes are announced.
    const budget = new Budget(computingLimitOf(op, ctx.actor))
    recording = await beginRecording(op, input, { ...ctx, budget })
    for await (const event of op.stream.open(recording?.ctx ?? { ...ctx, budget }, input)) {
      yield await checkOutput(op, op.stream.event, event, ctx)
      budget.renew()
    }
    await recording?.done(null)
    outcome.done()
  } catch (error) {
    await recording?.failed(error)
    throw await outcome.failed(error)
  }
}
