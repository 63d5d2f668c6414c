import { type AnyOperation, newPlanOf, parseInput, type StudioError } from '../../src/kernel'
import type { Invocation } from '../start/invocation'
import { canAsk, confirm } from '../terminal/ask'
import { canvasFor } from '../terminal/colors'
import { writeNotice } from '../terminal/write-message'
import type { ViewOptions } from './command-parts'
import { nameInFlags } from './operation-command'
import { getOperationUi, loadView } from './operation-ui'
import { executeHere } from './with-studio'

export const DEFAULT_VIEW: ViewOptions = { columns: null }

type Input = Record<string, unknown>

/** What a command is about to do. */
export interface PlannedCall {
  operation: AnyOperation
  input: Input
  invocation: Invocation
  /** Shows the changes before they are made, even in scripts. */
  alwaysPreview: boolean
}

/** Asks for confirmation if the operation requires it. Returns the final input, which does exactly what was shown. */
export async function confirmCall(call: PlannedCall): Promise<Input> {
  if (!call.alwaysPreview) await askFirst(call)
  return askAfterDryRun(call)
}

async function askFirst({ operation, input, invocation }: PlannedCall): Promise<void> {
  const { confirm: questionFor, confirmDryRun } = operation.cli!
  if (!questionFor || isPlanNamed(input) || (confirmDryRun && canAsk(invocation))) return
  const question = questionFor(inTypedNames(operation, invocation, () => parseInput(operation, input)))
  if (question !== null) await confirm(question, invocation, 'dryRun' in operation.input.shape)
}

/** The plan that a user names was shown before. */
function isPlanNamed({ planId }: Input): boolean {
  return planId !== undefined
}

/**
 * Shows what the change would do, and asks. On standard error, because the result follows on standard output.
 */
async function askAfterDryRun({ operation, input, invocation, alwaysPreview }: PlannedCall): Promise<Input> {
  const { confirmDryRun: questionFor, confirm: isAskedWithoutPreview } = operation.cli!
  if (!questionFor || input['dryRun'] === true || isPlanNamed(input)) return input
  const isAnswered = invocation.flags.yes || (isAskedWithoutPreview && !canAsk(invocation))
  if (isAnswered && !alwaysPreview) return input
  const settle = canAsk(invocation) ? await getOperationUi(operation.id).settleConflicts?.() : undefined
  for (let current = input; ; ) {
    const preview = await executeHere(operation, { ...current, dryRun: true }, invocation)
    const question = questionFor(preview)
    if (!invocation.flags.json && (question !== null || settle)) {
      const view = await loadView(operation.id)
      invocation.terminal.err(view(preview, canvasFor('err', invocation), DEFAULT_VIEW))
    }
    const settled = (await settle?.(preview, current, invocation)) ?? null
    if (settled === null) {
      if (question !== null) await confirm(question, invocation, alwaysPreview)
      return { ...current, planId: (preview as { planId: string }).planId }
    }
    current = settled
  }
}

/** How often what would be done may change while a user is asked, before the user has to begin again. */
const MAX_PLANS = 10

/**
 * Runs what was shown, with the input that `confirmCall` returned. If it would do something else meanwhile, that is shown again, and asked,
 * but not for a plan that the user has named.
 * @param limited the operation, which may read fewer rows
 */
export async function runAsShown(call: PlannedCall, confirmed: Input, limited = call.operation): Promise<unknown> {
  const { operation, invocation } = call
  for (let current = confirmed, plans = 1; ; plans++) {
    try {
      return await executeHere(limited, current, invocation)
    } catch (error) {
      const plan = newPlanOf(error)
      if (plan === null) throw error
      if (isPlanNamed(call.input) || plans === MAX_PLANS)
        throw await showNewPlan(operation, error as StudioError, invocation)
      writeNotice(invocation, (error as StudioError).message)
      // What was decided about the earlier plan, such as how to settle a conflict, does not hold for this one.
      current = await askAfterDryRun(call)
    }
  }
}

/** Shows what would be done now. Returns the error with the flag that does exactly that; with `--json` it contains the plan. */
async function showNewPlan(operation: AnyOperation, error: StudioError, invocation: Invocation): Promise<StudioError> {
  if (invocation.flags.json) return error
  const plan = newPlanOf(error)!
  const view = await loadView(operation.id)
  invocation.terminal.err(view(plan, canvasFor('err', invocation), DEFAULT_VIEW))
  return error.copyWith({
    details: [],
    hint: `If this is what you want, repeat the command with --plan ${plan.planId}`,
  })
}

function inTypedNames<R>(operation: AnyOperation, { inputFile }: Invocation, work: () => R): R {
  try {
    return work()
  } catch (error) {
    throw nameInFlags(error, operation, inputFile)
  }
}
