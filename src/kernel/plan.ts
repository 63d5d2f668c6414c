import { createHash } from 'node:crypto'
import * as z from 'zod'
import { StudioError } from './errors'
import { checkpoint } from './work/budget'

/** Without a dash, with which a flag would begin. */
const PlanId = z.string().regex(/^[0-9a-f]{24}$/, 'must be the planId of a dry run')

/** The fields that an operation with a dry run has besides its own. */
export const planInput = {
  planId: PlanId.optional().describe('The planId of a dry run: make exactly the changes that it showed, or none'),
}
export const planOutput = {
  planId: PlanId.optional().describe(
    'Only in the answer of a dry run: the same call with it does exactly what is shown, or nothing',
  ),
}

/** Whether the operation can say what it would do, and then do exactly that. */
export function hasPlan(op: { input: { shape: object } }): boolean {
  return 'planId' in op.input.shape
}

/** What one call would do. A dry run names it; a call that names it does nothing else. */
export class Plan {
  /** Of what the call would do; null before that is decided. */
  id: string | null = null
  readonly #call: string

  /** `call` is what the plan depends on besides the facts: the operation and its input. `expected` is the plan that the caller has seen. */
  constructor(
    call: unknown,
    readonly expected: string | null,
  ) {
    this.#call = canonical(call)
  }

  /** Throws `plan_changed` if the caller has seen another plan. */
  settle(facts: unknown): void {
    const hash = createHash('sha256').update(this.#call).update('\0').update(canonical(facts))
    this.id = hash.digest('hex').slice(0, 24)
    if (this.expected !== null && this.id !== this.expected) throw createPlanChangedError()
  }
}

/**
 * To be called when a call has decided what it would do, and before it does any of that: within the transaction that writes it, or with the
 * revisions that the tracker compares. `facts` is everything that a person is shown or that decides the outcome, as plain data. Without a
 * plan that the caller has seen, nothing is compared. Throws `plan_changed`.
 */
export function settlePlan({ plan }: { plan?: Plan }, facts: unknown): void {
  plan?.settle(facts)
}

/** The same for many facts with long texts: other calls run in between. */
export async function settleLongPlan(
  call: Parameters<typeof checkpoint>[0] & { plan?: Plan },
  facts: readonly unknown[],
): Promise<void> {
  if (!call.plan) return
  const digests: string[] = []
  for (const fact of facts) {
    digests.push(createHash('sha256').update(canonical(fact)).digest('base64url'))
    await checkpoint(call)
  }
  call.plan.settle(digests)
}

/** Whether the caller has seen a plan, so that only that may be done. */
export function isBoundToPlan({ plan }: { plan?: Plan }): boolean {
  return (plan?.expected ?? null) !== null
}

export function createPlanChangedError(): StudioError {
  return new StudioError('plan_changed', 'What this call would do has changed since it was shown. Nothing was done.', {
    hint: 'Review the new plan. To make its changes, repeat the call with its planId.',
  })
}

/** The error with the plan of a new dry run. */
export function addNewPlan(error: StudioError, preview: { planId?: string | undefined }): StudioError {
  const { planId } = preview
  const message = `is no longer the plan; the new one is ${planId}`
  return error.copyWith({ details: [{ path: 'planId', message, planId, plan: preview }] })
}

/** The new plan of a `plan_changed` error; null for any other error. */
export function newPlanOf(error: unknown): (Record<string, unknown> & { planId: string }) | null {
  if (!(error instanceof StudioError) || error.code !== 'plan_changed') return null
  const [detail] = error.details
  return (detail?.['plan'] as (Record<string, unknown> & { planId: string }) | undefined) ?? null
}

/** The same text for equal data, in whichever order its fields were written. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
