import { stat, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { loadOperation } from '../src/catalog'
import { listProtectedFiles, loadSettings } from '../src/config'
import { type AnyOperation, EXIT_PARTIAL, newPlanOf, parseInput, StudioError } from '../src/kernel'
import { requireUnprotectedFile, toFileError, writeFileAtomic } from '../src/storage'
import { askYesNo, canAsk, confirm } from './ask'
import { canvasFor } from './colors'
import type { RunOther, ViewOptions } from './command-parts'
import type { Invocation } from './invocation'
import { printable } from './layout'
import { commandFor, inputFrom, nameInFlags } from './operation-command'
import { getOperationUi, isForPrograms, loadView } from './operation-ui'
import { chosenFormat, limitReading, requireSort, sortAndLimit } from './output-flags'
import { parse, shieldDashWords } from './parse'
import { renderJson, requireFields } from './render-json'
import { comesInParts, runStream } from './run-stream'
import { executeHere } from './with-studio'
import { wrapText } from './wrap-text'
import { writeNotice } from './write-message'

const DEFAULT_VIEW: ViewOptions = { columns: null }

/** Runs an operation with the words after its command, and prints the result. Resolves with the exit code. */
export async function runOperation(
  ids: readonly string[],
  args: readonly string[],
  given: Invocation,
): Promise<number> {
  const operations = await Promise.all(ids.map(loadOperation))
  const command = commandFor(
    operations,
    args.some(isHelpFlag) ? (await import('./hidden-flags')).listHiddenFlags(operations, given) : undefined,
  )
  const own = operations.some((op) => op.cli!.dashWords) ? shieldDashWords(command, args) : args
  if (!parse(command, own, given)) return 0
  const { operation: chosen, input: typed, inputFile } = await inputFrom(command, operations, given)
  const invocation = { ...given, inputFile }
  const format = chosenFormat(command, invocation)
  const run: RunOther = async (id, own) => executeHere(await loadOperation(id), own, invocation)
  const named = await replaceReferences(chosen, typed, run)
  const asked = await completeInput(chosen, named, { invocation, run })
  const takesInput = (op: AnyOperation) => Object.keys(asked).every((field) => field in op.input.shape)
  const operation = asked === named ? chosen : (operations.find(takesInput) ?? chosen)
  if (invocation.flags.fields && !invocation.flags.json) {
    throw new StudioError('invalid', '--fields goes with --json.', { hint: 'Add --json.' })
  }
  if (invocation.flags.fields) requireFields(invocation.flags.fields, operation.output)
  requireSort(operation, command)
  const prepare = await getOperationUi(operation.id).prepare?.()
  const prepared = await prepare?.(asked, command.opts(), { invocation, run })
  const { input: complete, options = DEFAULT_VIEW, alwaysPreview = false } = prepared ?? { input: asked }
  if (!alwaysPreview) await askFirst(operation, complete, invocation)
  const ask = () => askAfterDryRun(operation, complete, invocation, alwaysPreview)
  const input = await ask()
  const { watch: interval } = command.opts() as { watch?: unknown }
  if (interval !== undefined) {
    return (await import('./watch')).watch(interval, invocation, async () => {
      const { shown } = sortAndLimit(operation, command, await executeHere(operation, input, invocation))
      return resultText(operation, shown, invocation, { format, options })
    })
  }
  if (comesInParts(operation, invocation)) return runStream(operation, input, invocation)
  const { limited, total } = limitReading(operation, command)
  const result = await withErrorHandler(operation, input, invocation, () =>
    runAsShown(limited, input, { invocation, ask: complete['planId'] === undefined ? ask : null }),
  )
  const { shown, notice } = sortAndLimit(operation, command, result, total.current)
  const { out } = command.opts() as { out?: string }
  const text = await resultText(operation, shown, invocation, { out, format, options })
  if (out === undefined) await invocation.terminal.show(text, invocation.flags)
  else await writeOutFile(out, text, invocation)
  for (const text of [notice, noticeOn(operation, result, invocation)]) if (text) writeNotice(invocation, text)
  const afterResult = await getOperationUi(operation.id).afterResult?.()
  await afterResult?.(result, command.opts(), invocation)
  await offerNext(operation, result, invocation)
  return operation.isPartial?.(result) ? EXIT_PARTIAL : 0
}

function isHelpFlag(word: string): boolean {
  return word === '-h' || word === '--help'
}

/** Loads the code that resolves references only for a command with a text that may be one. */
async function replaceReferences(
  operation: AnyOperation,
  typed: Record<string, unknown>,
  run: RunOther,
): Promise<Record<string, unknown>> {
  const texts = Object.values(typed).flat()
  if (!texts.some((text) => typeof text === 'string' && /[#:]|\w-\d/.test(text))) return typed
  return (await import('./item-references')).resolveItemReferences(operation, typed, run)
}

/** Asks for the input, or for what is missing in it, if a user can answer. */
async function completeInput(
  operation: AnyOperation,
  typed: Record<string, unknown>,
  { invocation, run }: { invocation: Invocation; run: RunOther },
): Promise<Record<string, unknown>> {
  const { askForInput, askForMissing } = getOperationUi(operation.id)
  if (!canAsk(invocation) || invocation.flags.json) return typed
  if (askForMissing) return (await askForMissing())(typed, invocation, run)
  if (!askForInput || Object.keys(typed).length > 0) return typed
  const ask = await askForInput()
  return ask(run)
}

/** How often what would be done may change while a user is asked, before the user has to begin again. */
const MAX_PLANS = 10

/** Runs what was shown. If that has changed meanwhile, `ask` shows it again. Null for a plan that the user has named. */
async function runAsShown(
  operation: AnyOperation,
  input: Record<string, unknown>,
  { invocation, ask }: { invocation: Invocation; ask: (() => Promise<Record<string, unknown>>) | null },
): Promise<unknown> {
  for (let current = input, plans = 1; ; plans++) {
    try {
      return await executeHere(operation, current, invocation)
    } catch (error) {
      const plan = newPlanOf(error)
      if (plan === null) throw error
      if (ask === null || plans === MAX_PLANS) throw await showNewPlan(operation, error as StudioError, invocation)
      writeNotice(invocation, (error as StudioError).message)
      // What was decided about the earlier plan, such as how to settle a conflict, does not hold for this one.
      current = await ask()
    }
  }
}

/** Shows what would be done now. Returns the error with the flag that does exactly that; with `--json` it contains the plan. */
async function showNewPlan(operation: AnyOperation, error: StudioError, invocation: Invocation): Promise<StudioError> {
  if (invocation.flags.json) return error
  const plan = newPlanOf(error)!
  const view = await loadView(operation.id, null)
  invocation.terminal.err(view(plan, canvasFor('err', invocation), DEFAULT_VIEW))
  return error.copyWith({
    details: [],
    hint: `If this is what you want, repeat the command with --plan ${plan.planId}`,
  })
}

/** Does `work` for an operation, or for the step that it offered with `input`. */
async function withErrorHandler<Result>(
  operation: AnyOperation,
  input: Record<string, unknown>,
  invocation: Invocation,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof StudioError)) throw error
    const handleError = await getOperationUi(operation.id).handleError?.()
    throw handleError ? await handleError(error, input, invocation) : error
  }
}

/** With `--json` it is part of the result. */
function noticeOn(operation: AnyOperation, result: unknown, { flags }: Invocation): string | null {
  const notice = flags.json ? null : (operation.cli!.notice?.(result) ?? null)
  return notice && printable(notice)
}

async function askFirst(
  operation: AnyOperation,
  input: Record<string, unknown>,
  invocation: Invocation,
): Promise<void> {
  const { confirm: questionFor, confirmDryRun } = operation.cli!
  if (!questionFor || isPlanNamed(input) || (confirmDryRun && canAsk(invocation))) return
  const question = questionFor(inTypedNames(operation, invocation, () => parseInput(operation, input)))
  if (question !== null) await confirm(question, invocation, 'dryRun' in operation.input.shape)
}

/** The plan that a user names was shown before. */
function isPlanNamed({ planId }: Record<string, unknown>): boolean {
  return planId !== undefined
}

/**
 * Shows what the change would do, and asks. On standard error, because the result follows on standard output. Returns the final input, which
 * does what was shown and nothing else.
 */
async function askAfterDryRun(
  operation: AnyOperation,
  input: Record<string, unknown>,
  invocation: Invocation,
  alwaysPreview: boolean,
): Promise<Record<string, unknown>> {
  const { confirmDryRun: questionFor, confirm: isAskedWithoutPreview } = operation.cli!
  if (!questionFor || input['dryRun'] === true || isPlanNamed(input)) return input
  const isAnswered = invocation.flags.yes || (isAskedWithoutPreview && !canAsk(invocation))
  if (isAnswered && !alwaysPreview) return input
  const settle = canAsk(invocation) ? await getOperationUi(operation.id).settleConflicts?.() : undefined
  for (let current = input; ; ) {
    const preview = await executeHere(operation, { ...current, dryRun: true }, invocation)
    const question = questionFor(preview)
    if (!invocation.flags.json && (question !== null || settle)) {
      const view = await loadView(operation.id, null)
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

/** Offers a next step after the result. It is done if the user agrees. */
async function offerNext(operation: AnyOperation, result: unknown, invocation: Invocation): Promise<void> {
  const { flags, terminal } = invocation
  const offer = operation.cli!.offer?.(result) ?? null
  if (offer === null) return
  const say = (text: string) => (flags.json ? undefined : writeNotice(invocation, text))
  if (!flags.yes && (flags.json || flags.noInput || !terminal.canAsk)) return say(offer.otherwise)
  if (!(await askYesNo(offer.question, invocation))) return say('Nothing was changed.')
  const next = await loadOperation(offer.operation)
  await withErrorHandler(operation, offer.input, invocation, () => executeHere(next, offer.input, invocation))
  say(offer.done)
}

function inTypedNames<R>(operation: AnyOperation, { inputFile }: Invocation, work: () => R): R {
  try {
    return work()
  } catch (error) {
    throw nameInFlags(error, operation, inputFile)
  }
}

async function resultText(
  operation: AnyOperation,
  result: unknown,
  { flags, terminal }: Invocation,
  { out, format, options }: { out?: string | undefined; format: string | null; options: ViewOptions },
): Promise<string> {
  if (flags.json) return renderJson(result, flags.fields, operation.output)
  const target = out !== undefined ? { ...terminal, outIsTty: false, env: {} } : terminal
  const canvas = canvasFor('out', { flags, terminal: target })
  const view = await loadView(operation.id, format)
  const text = view(result, canvas, options)
  if (format === null) return wrapText(text, canvas.width)
  // Programs get the bytes as they are, without wrapped lines. A terminal would act on control characters.
  const isShown = terminal.outIsTty && (out === undefined || out === '-')
  return isShown && isForPrograms(operation.id, format) ? printable(text.replaceAll('\r\n', '\n')) : text
}

/** Writes the `--out` file atomically, unless it is a device or a pipe, which cannot be replaced. */
async function writeOutFile(path: string, text: string, invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  if (path === '-') return terminal.out(text)
  const target = resolve(terminal.cwd, path)
  requireUnprotectedFile(target, listProtectedFiles(loadSettings({ env: terminal.env, cwd: terminal.cwd })))
  const existing = await stat(target).catch(() => null)
  if (existing && !existing.isFile() && !existing.isDirectory()) await writeFile(target, text)
  else if (existing?.isDirectory()) throw toFileError(Object.assign(new Error(), { code: 'EISDIR' }), target)
  else await writeFileAtomic(target, text)
  writeNotice(invocation, `Written to ${path}`)
}
