import { type AnyOperation, StudioError } from '../src/kernel'
import type { Invocation } from './invocation'

/** What is done before a refusal is told, and the refusal that is told then. */
export type AfterRefusal = (
  refusal: StudioError,
  input: Record<string, unknown>,
  invocation: Invocation,
) => Promise<StudioError>

const steps: Record<string, () => Promise<AfterRefusal>> = {
  'drafts.refine': async () => (await import('./keep-refinement')).saveRejectedRefinement,
}

/** Does `work` for an operation, or for the step that it offered. `input` is what the work was asked with. */
export async function minding<Result>(
  operation: AnyOperation,
  input: Record<string, unknown>,
  invocation: Invocation,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const step = error instanceof StudioError ? await steps[operation.id]?.() : undefined
    throw step ? await step(error as StudioError, input, invocation) : error
  }
}
