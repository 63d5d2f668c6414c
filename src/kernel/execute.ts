import type { z } from 'zod'
import type { Actor, Context } from './context'
import { asStudioError, familyOf, StudioError } from './errors'
import { detailsOf, inputError, wordsFor } from './input-error'
import type { Access, AnyOperation, Operation } from './operation'

/** The only door to the core: authorize, validate, run, check the answer, log. */
export async function execute<In extends z.ZodObject, Out extends z.ZodType, Needs extends Context>(
  op: Operation<In, Out, Needs>,
  raw: unknown,
  ctx: Needs,
): Promise<z.output<Out>> {
  const startedAt = ctx.clock.now()
  try {
    authorize(op, ctx.actor)
    const input = parseInput(op, raw)
    ctx.signal.throwIfAborted()
    const answer = checkOutput(op, await op.run(ctx, input))
    ctx.log.debug('operation done', { operation: op.id, durationMs: ctx.clock.now() - startedAt })
    return answer
  } catch (error) {
    const known = asStudioError(error)
    const facts = { operation: op.id, code: known.code, durationMs: ctx.clock.now() - startedAt }
    if (familyOf(known.code) === 'internal')
      ctx.log.error('operation failed', { ...facts, cause: known.cause ?? known })
    else ctx.log.debug('operation refused', facts)
    throw known
  }
}

const admitted: Record<Access, (actor: Actor) => boolean> = {
  public: () => true,
  workspace: (actor) => actor.kind === 'terminal' || actor.kind === 'local',
  tenant: (actor) => actor.kind === 'terminal' || actor.kind === 'tenant-key',
  admin: (actor) => actor.kind === 'terminal',
}

function authorize(op: AnyOperation, actor: Actor): void {
  if (admitted[op.access](actor)) return
  if (actor.kind === 'nobody' || op.access === 'tenant') {
    throw new StudioError('unauthenticated', 'This call needs a credential.', {
      hint: op.access === 'tenant' ? 'Send the header X-API-Key; make a key with: studio tenant key create' : undefined,
    })
  }
  throw new StudioError('forbidden', 'This credential does not allow the call.')
}

/** The input as the operation takes it, defaults filled in; throws one `invalid` that names every field that is wrong. */
export function parseInput<In extends z.ZodObject>(op: Operation<In, any, any>, raw: unknown): z.output<In> {
  const parsed = op.input.safeParse(raw, { error: wordsFor, reportInput: true })
  if (parsed.success) return parsed.data
  throw inputError(detailsOf(parsed.error))
}

/** An answer that does not fit its own schema is a fault of ours, found here rather than by a client. */
function checkOutput<Out extends z.ZodType>(op: Operation<any, Out, any>, answer: z.input<Out>): z.output<Out> {
  const parsed = op.output.safeParse(answer)
  if (parsed.success) return parsed.data
  throw new StudioError('internal', `The answer of ${op.id} does not fit its own schema.`, { cause: parsed.error })
}
